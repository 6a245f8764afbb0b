using System.CommandLine;
using Serdica.Perf.Analysis.Blocks;
using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Analysis.Gates;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Ab;
using Serdica.Perf.Cli.Measuring;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Cli.Output;
using Serdica.Perf.Databases;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`ab`: two commits, settings or backends, measured in turn on the same server.</summary>
internal sealed class AbCommand
{
    private const int DefaultBlocks = 10;
    private const int MaxBlocks = 1_000;
    private const string DefaultScenario = "signal-roundtrip-throughput-parallel";

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly TimeProvider _time;
    private readonly Option<string> _base = new("--base")
    {
        HelpName = "REF",
        Description = $"The side to compare with: {SideOfAb.Forms}.",
        Required = true,
    };

    private readonly Option<string> _candidate = new("--candidate")
    {
        HelpName = "REF",
        Description = "The side that is compared, in the same forms.",
        Required = true,
    };

    private readonly Option<string[]> _scenarios = new("--scenario")
    {
        HelpName = "NAME",
        Description = $"Scenarios, comma-separated or repeated. Default {DefaultScenario}.",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<string?> _backend = new("--backend")
    {
        HelpName = "NAME",
        Description = $"The backend of both sides: {string.Join(", ", BackendNames.All)}. Default {BackendNames.PostgreSql}.",
    };

    private readonly Option<string?>[] _forwarded =
    [
        Forwarded("--operations", "N", "Operations in each measured window."),
        Forwarded("--concurrency", "N", "Callers that issue operations at the same time."),
        Forwarded("--workers", "N", "Signal workers."),
        Forwarded("--load", "serial|wave|closed", "The same as in 'run'."),
        Forwarded("--warmup", "N", "The same as in 'run'."),
    ];

    private readonly Option<int?> _blocks = NumberOption.Create(
        "--blocks", $"Blocks of four measurements, two of each side: ABBA, BAAB and so on. Default {DefaultBlocks}.",
        BlockComparer.FewestBlocks, MaxBlocks);
    private readonly Option<string?> _gate = new("--gate")
    {
        HelpName = "FILE",
        Description = "Limits, for instance perf-gate.json; the exit code is 3 when one is exceeded, and 5 when none could be judged.",
    };

    private readonly Option<DatabaseSourceKind?> _source = RunOptionSet.SourceOption();
    private readonly Option<string?> _folder = new("--output")
    {
        HelpName = "DIR",
        Description = "Where the folder of the comparison is written. Default TestResults/workflow-performance.",
    };

    private readonly Option<bool> _json = new("--json")
    {
        Description = "Prints only ab.json on standard output. Progress goes to standard error.",
    };

    public AbCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment, TimeProvider time)
    {
        (_output, _error, _environment, _time) = (output, error, environment, time);
        Command = new(
            "ab", "Measures two commits, settings or backends in turn on the same server, and reports differences with intervals.");
        foreach (var option in (Option[])[_base, _candidate, _scenarios, _backend, .. _forwarded, _blocks, _gate, _source, _folder, _json])
            Command.Options.Add(option);
        Command.SetAction((parsed, cancellationToken) => RunAsync(Read(parsed), RunCommand.CommandText(parsed), cancellationToken));
    }

    public Command Command { get; }

    private AbRequest Read(ParseResult parsed)
    {
        var scenarios = RunOptionSet.Split(parsed.GetValue(_scenarios) is { Length: > 0 } named ? named : [DefaultScenario]).Select(name => ScenarioNames.Parse(name, [])).ToArray();
        var request = new AbRequest
        {
            Base = SideOfAb.Parse("--base", parsed.GetValue(_base)!),
            Candidate = SideOfAb.Parse("--candidate", parsed.GetValue(_candidate)!),
            Scenarios = [.. scenarios.Select(choice => choice.Scenario.Name).Distinct()],
            Backend = Backend(parsed.GetValue(_backend), [.. scenarios.Select(choice => choice.Backend).OfType<string>().Distinct()]),
            Options = _forwarded.Where(option => parsed.GetValue(option) is not null).ToDictionary(option => option.Name, parsed.GetValue),
            Blocks = parsed.GetValue(_blocks) ?? DefaultBlocks,
            Source = parsed.GetValue(_source),
            Gate = parsed.GetValue(_gate) is { } gate ? GateReader.Read(gate) : null,
            Output = parsed.GetValue(_folder) ?? RunFolder.DefaultRoot,
            Json = parsed.GetValue(_json),
        };
        request.Check();
        return request;
    }

    private static string Backend(string? named, IReadOnlyList<string> ofScenarios)
    {
        if (named is not null)
            ScenarioNames.CheckBackend(named);
        return named is not null && ofScenarios.All(backend => backend == named) ? named
            : named is null && ofScenarios.Count <= 1 ? ofScenarios.FirstOrDefault() ?? BackendNames.PostgreSql
            : throw new UsageException(
                $"The scenarios name the backends {string.Join(", ", ofScenarios)}, and ab measures one on both sides; "
                    + "name scenarios without backend, and two backends by --base backend:NAME --candidate backend:NAME.");
    }

    private async Task<int> RunAsync(AbRequest request, string command, CancellationToken cancellationToken)
    {
        // With --json the output belongs to the result alone.
        var console = request.Json ? _error : _output;
        request = await request.ResolveAsync(cancellationToken).ConfigureAwait(false);
        var startedAt = _time.GetUtcNow();
        var folder = AbFolder.Create(request.Output, request.Backends, AbManifest.Unfinished(startedAt, command));
        var place = $"Folder: {Path.GetRelativePath(Directory.GetCurrentDirectory(), folder.Path)}";
        try
        {
            var blocks = await new AbSession(request, _environment, console.WriteLine).MeasureAsync(folder, cancellationToken)
                .ConfigureAwait(false);
            var result = Judge(request, command, startedAt, blocks);
            folder.Write(result);
            var outcome = result.Gate?.Outcome ?? GateOutcome.Held;
            folder.End(outcome == GateOutcome.Held ? RunStatus.Passed : RunStatus.Failed, outcome == GateOutcome.Held ? null : $"{GateText.Outcome(result.Gate!)}.");
            if (request.Json)
                await _output.WriteAsync(AbFolder.Text(result)).ConfigureAwait(false);
            AbSummary.Write(console, result);
            console.WriteLine(place);
            return ExitCodes.Of(outcome);
        }
        catch (MeasuringException error)
        {
            folder.End(RunStatus.Failed, error.Message);
            await _error.WriteLineAsync(error.Message).ConfigureAwait(false);
            console.WriteLine(place);
            return error.ExitCode;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            folder.End(RunStatus.Aborted, "Stopped by the user before its end.");
            console.WriteLine($"Stopped by the user before its end; there is no verdict. {place}");
            return ExitCodes.Cancelled;
        }
    }

    private AbResult Judge(AbRequest request, string command, DateTimeOffset startedAt, IReadOnlyList<AbBlock> blocks)
    {
        var candidates = BlockComparer.Runs(blocks, AbSide.Candidate);
        var comparison = BlockComparer.Compare(
            Name(request.Base, BlockComparer.Runs(blocks, AbSide.Base)[0]),
            Name(request.Candidate, candidates[0]),
            blocks,
            request.Gate?.Comparison ?? ComparisonSettings.Default);
        return new()
        {
            StartedAt = startedAt,
            FinishedAt = _time.GetUtcNow(),
            Command = command,
            Comparison = comparison,
            Gate = request.Gate is { } gate
                ? Gate.Judge(gate, comparison, Together(candidates), DateOnly.FromDateTime(_time.GetUtcNow().UtcDateTime))
                : null,
            Blocks = [.. blocks.Select(AbBlockFigures.Of)],
        };
    }

    /// <summary>As it was written, and which commit that was.</summary>
    private static string Name(SideOfAb side, RunResult run) => run.Environment.Source switch
    {
        { Commit: { } commit, Dirty: true } => $"{side.Text} ({commit[..12]} with changes)",
        { Commit: { } commit } => $"{side.Text} ({commit[..12]})",
        _ => side.Text,
    };

    /// <summary>The runs as repeats of one, which is how objectives are judged.</summary>
    private static RunResult Together(IReadOnlyList<RunResult> runs) => runs[0] with
    {
        Scenarios = [.. runs.SelectMany((run, index) => run.Scenarios.Select(scenario => scenario with { Parameters = scenario.Parameters with { Repeat = index + 1 } }))],
        Warnings = [.. runs.SelectMany(run => run.Warnings).Distinct()],
    };

    private static Option<string?> Forwarded(string name, string helpName, string description) =>
        new(name) { HelpName = helpName, Description = description };
}

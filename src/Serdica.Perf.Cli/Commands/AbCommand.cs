using Serdica.Perf.Cli.Ab;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`ab`: two commits, settings or backends, measured in turn on the same server.</summary>
internal sealed class AbCommand
{
    private const string Examples = """
        Examples:
          serdica-perf ab --base commit:HEAD~1 --candidate commit:HEAD \
              --operations 20000 --concurrency 64 --load closed
            Two commits, each built in Release in a temporary worktree and measured in
            turn on the same PostgreSQL.
          serdica-perf ab --base commit:HEAD --candidate here \
              --scenario signal-roundtrip-latency-serial --operations 2000
            What you have changed since the last commit. 'here' is this program.
          serdica-perf ab --base "--workers 2" --candidate "--workers 8" \
              --operations 20000 --concurrency 64
            Two settings of this program.
          serdica-perf ab --base backend:postgresql --candidate backend:in-memory
            Two backends.
          serdica-perf ab --base server:old --candidate server:new --operations 20000
            Two servers, whose connection strings are in SERDICA_PERF_SERVER_OLD and
            SERDICA_PERF_SERVER_NEW.
          serdica-perf ab --base here --candidate settings:mine.conf --source local
            PostgreSQL as the suite sets it, and with a file of yours on top of that.
          serdica-perf ab --base size:2,4g --candidate size:4,8g
            Two sizes of a PostgreSQL in a container; image:NAME for two images.
          serdica-perf ab --project orders --base commit:HEAD~1 --candidate here
            Two commits of a repository of your own, with the scenarios of its project.
          serdica-perf ab --base here --candidate "--step-delay 1ms" --operations 2000
            Checks that ab detects a slow-down. With --candidate here, checks that ab
            finds no change where there is none.

        Exit codes:
          0  compared; with --gate, no limit was exceeded, and speed was judged
             for every scenario that has a limit on it
          1  a verification failed, a commit does not build, or a run could not be
             finished
          2  a name or value is unknown or invalid; nothing was compared
          3  a limit of the gate was exceeded, or the candidate lacks a scenario of the
             base
          4  a backend is not available
          5  the gate could judge nothing, or could not judge the speed of a
             scenario; the reason is printed
          130  stopped by Ctrl-C; there is no verdict
        """;

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly TimeProvider _time;
    private readonly MeasuringProgram _program;
    private readonly AbOptionSet _options;

    public AbCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment, TimeProvider time, MeasuringProgram program)
    {
        (_output, _error, _environment, _time, _program) = (output, error, environment, time, program);
        Command = new DocumentedCommand(
            "ab",
            "Measures two commits, settings or backends in turn on the same server, and reports differences with intervals.",
            Examples
        );
        _options = new(Command);
        Command.SetAction((parsed, cancellationToken) => RunAsync(_options.Read(parsed), CommandText.Of(parsed), cancellationToken));
    }

    public Command Command { get; }

    private async Task<int> RunAsync(AbRequest request, string command, CancellationToken cancellationToken)
    {
        // With --json the output belongs to the result alone.
        var console = request.Json ? _error : _output;
        foreach (var side in request.Sides)
            side.Server?.Environment(request.BackendOf(side), _environment.Value);
        if (await request.MissingAsync(_environment, cancellationToken) is { } missing)
        {
            await _error.WriteLineAsync(missing);
            return ExitCodes.BackendUnavailable;
        }

        request = await request.ResolveAsync(cancellationToken);
        var startedAt = _time.GetUtcNow();
        var folder = AbFolder.Create(request.Output, request.Backends, AbManifest.Unfinished(startedAt, command, request));
        var place = $"Folder: {RunPlace.Relative(folder.Path)}";
        using var log = RunLog.ToConsole(console, _error);
        var logger = log.Loggers.CreateLogger(nameof(AbCommand));
        try
        {
            var session = new AbSession(request, _environment, _program, logger, _time, console.WriteLine);
            var blocks = await session.MeasureAsync(folder, cancellationToken);
            var result = Judge(request, command, startedAt, blocks, _time);
            var outcome = result.Gate?.Outcome ?? GateOutcome.Held;
            if (request.Json)
                await _output.WriteAsync(AbFolder.Text(result));
            AbSummary.Write(console, result);

            // After the verdict, which must not be lost with a file.
            folder.Write(result);
            folder.End(
                outcome == GateOutcome.Held ? RunStatus.Passed : RunStatus.Failed,
                outcome == GateOutcome.Held ? null : $"{GateText.Outcome(result.Gate!)}."
            );
            console.WriteLine($"Report: {RunPlace.Relative(Path.Combine(folder.Path, RunFolder.PageFile))}");
            console.WriteLine(place);
            return ExitCodes.Of(outcome);
        }
        catch (MeasuringException error)
        {
            await _error.WriteLineAsync(error.Message);
            folder.End(RunStatus.Failed, error.Message);
            console.WriteLine(place);
            return error.ExitCode;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            console.WriteLine($"Stopped by the user; there is no verdict. {place}");
            folder.End(RunStatus.Aborted, "Stopped by the user.");
            return ExitCodes.Cancelled;
        }
    }

    internal static AbResult Judge(
        AbRequest request,
        string command,
        DateTimeOffset startedAt,
        IReadOnlyList<AbBlock> blocks,
        TimeProvider time
    )
    {
        var candidates = BlockComparer.Runs(blocks, AbSide.Candidate);
        var comparison = BlockComparer.Compare(
            Name(request.Base, BlockComparer.Runs(blocks, AbSide.Base)[0]),
            Name(request.Candidate, candidates[0]),
            blocks,
            request.Gate?.Comparison ?? ComparisonSettings.Default,
            request.Base.Conditions.Against(request.Candidate.Conditions),
            request.Base.Options.Except(request.Candidate.Options).Any() || request.Candidate.Options.Except(request.Base.Options).Any()
        );
        return new()
        {
            StartedAt = startedAt,
            FinishedAt = time.GetUtcNow(),
            Command = command,
            Comparison = comparison,
            Gate = request.Gate is { } gate
                ? Gate.Judge(gate, comparison, Together(candidates), DateOnly.FromDateTime(time.GetUtcNow().UtcDateTime))
                : null,
            Blocks = [.. blocks.Select(AbBlockFigures.Of)],
        };
    }

    /// <summary>As it was written, and which commit that was.</summary>
    private static string Name(SideOfAb side, RunResult run) =>
        run.Environment.Source switch
        {
            { Commit: { } commit, Dirty: true } => $"{side.Text} ({commit[..12]} with changes)",
            { Commit: { } commit } => $"{side.Text} ({commit[..12]})",
            _ => side.Text,
        };

    /// <summary>The runs as repeats of one, which is how objectives are judged.</summary>
    private static RunResult Together(IReadOnlyList<RunResult> runs) =>
        runs[0] with
        {
            Scenarios =
            [
                .. runs.SelectMany(
                    (run, index) =>
                        run.Scenarios.Select(scenario => scenario with { Parameters = scenario.Parameters with { Repeat = index + 1 } })
                ),
            ],
            Warnings = [.. runs.SelectMany(run => run.Warnings).Distinct()],
        };
}

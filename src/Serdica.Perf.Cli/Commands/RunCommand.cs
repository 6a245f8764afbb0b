using System.CommandLine;
using Serdica.Perf.Cli.Composition;
using Serdica.Perf.Cli.Output;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Baselines;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`run`: measures scenarios on backends and writes a run folder.</summary>
internal sealed class RunCommand
{
    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly RunOptionSet _options = new();

    public RunCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        _environment = environment;
        _output = output;
        _error = error;
        Command = new("run", "Measures scenarios on backends and writes a run folder.");
        _options.AddTo(Command);
        Command.SetAction((parsed, cancellationToken) => RunAsync(_options.Read(parsed), CommandText(parsed), cancellationToken));
    }

    public Command Command { get; }

    private async Task<int> RunAsync(RunRequest request, string command, CancellationToken cancellationToken)
    {
        // With --json the output belongs to the summary alone.
        var console = request.Json ? _error : _output;
        if (request.DryRun)
        {
            WritePlan(console, request);
            return ExitCodes.Success;
        }

        using IDisposable observing = Consoles.IsTerminal(console) ? new LiveObserver(Consoles.For(console)) : new PlainObserver(console.WriteLine);
        var observer = (IRunObserver)observing;
        var suite = await SuiteRun.BeginAsync(
            new SuiteOptions
            {
                OutputRoot = request.Output ?? RunFolder.DefaultRoot,
                Backends = request.Backends,
                Tier = request.Tier,
                Command = command,
            },
            observer,
            cancellationToken).ConfigureAwait(false);

        bool complete;
        using (var log = RunLog.Create(suite.Folder, console, _error))
        {
            var catalog = new BackendCatalog(log.Loggers, _environment, request.Source);
            log.RunStarted(command);
            complete = await MeasureAllAsync(suite, catalog, request, log, cancellationToken).ConfigureAwait(false);
        }

        var result = suite.End();
        if (request.Json)
            await _output.WriteAsync(await File.ReadAllTextAsync(Path.Combine(suite.Folder.Path, RunFolder.SummaryFile), CancellationToken.None).ConfigureAwait(false)).ConfigureAwait(false);
        RunSummary.Write(console, result, suite.Folder);
        return cancellationToken.IsCancellationRequested ? ExitCodes.Cancelled : ExitCode(result, request, complete);
    }

    private static void WritePlan(TextWriter console, RunRequest request)
    {
        foreach (var (backend, scenarios) in request.Plan)
        {
            foreach (var scenario in scenarios)
            {
                console.WriteLine(ProgressText.Started(
                    new(ScenarioRunner.FullName(backend, scenario), request.Options.Apply(scenario.Parameters, repeat: 1))));
            }
        }

        console.WriteLine($"Each would be measured {(request.Repeat == 1 ? "once" : $"{request.Repeat} times")}; nothing was run.");
    }

    /// <returns>False when a backend was not to be had.</returns>
    private static async Task<bool> MeasureAllAsync(
        SuiteRun suite, BackendCatalog catalog, RunRequest request, RunLog log, CancellationToken cancellationToken)
    {
        var complete = true;
        var measured = false;
        try
        {
            foreach (var (name, scenarios) in request.Plan)
            {
                var provision = await suite.ProvideAsync(catalog.Source(name), cancellationToken).ConfigureAwait(false);
                if (provision is not BackendProvision.Provided { Backend: var backend })
                {
                    complete = false;
                    continue;
                }

                await using (backend.ConfigureAwait(false))
                    await MeasureAsync(suite, backend, scenarios, request.Repeat, request.Options, log, cancellationToken).ConfigureAwait(false);
                measured |= name != BackendNames.InMemory;
            }

            if (measured && request.Overhead.Count > 0)
                await MeasureOverheadAsync(suite, catalog, request, log, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // Between two scenarios; what was measured is kept.
        }
        catch (Exception e) when (e is DatabaseStartException or WorkflowBackendException)
        {
            // A server that was found and does not work is a fault, not something to pass over.
            suite.Abort(e.Message);
        }

        if (cancellationToken.IsCancellationRequested)
            suite.Abort("Stopped by the user before its end.");
        return complete;
    }

    /// <summary>In the same run, so that machine and build are the same; after the databases, so that none of them waits for it.</summary>
    private static async Task MeasureOverheadAsync(
        SuiteRun suite, BackendCatalog catalog, RunRequest request, RunLog log, CancellationToken cancellationToken)
    {
        var provision = await suite.ProvideAsync(catalog.Source(BackendNames.InMemory), cancellationToken).ConfigureAwait(false);
        if (provision is not BackendProvision.Provided { Backend: var backend })
            return;

        await using (backend.ConfigureAwait(false))
            await MeasureAsync(suite, backend, request.Overhead, repeats: 1, request.Options, log, cancellationToken).ConfigureAwait(false);
    }

    private static async Task MeasureAsync(
        SuiteRun suite,
        IMeasuredBackend backend,
        IReadOnlyList<Scenario> scenarios,
        int repeats,
        RunOptions options,
        RunLog log,
        CancellationToken cancellationToken)
    {
        foreach (var scenario in scenarios)
        {
            for (var repeat = 1; repeat <= repeats; repeat++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                log.ScenarioEnded(await suite
                    .MeasureAsync(backend, scenario, options, repeat, cancellationToken).ConfigureAwait(false));
            }
        }
    }

    private static int ExitCode(RunResult result, RunRequest request, bool complete) => result.Status switch
    {
        RunStatus.Aborted => ExitCodes.Failed,
        _ when result.Scenarios.Any(scenario => scenario.Status != ScenarioStatus.Passed) => ExitCodes.Failed,
        _ when !complete && (request.BackendsNamed || result.Scenarios.Count == 0) => ExitCodes.BackendUnavailable,
        RunStatus.Passed => ExitCodes.Success,
        _ => ExitCodes.Failed,
    };

    /// <summary>What was typed.</summary>
    internal static string CommandText(ParseResult parsed) =>
        $"serdica-perf {string.Join(' ', parsed.Tokens.Select(token => token.Value.Any(char.IsWhiteSpace) ? $"\"{token.Value}\"" : token.Value))}";
}

using System.CommandLine;
using System.Globalization;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Cli.Output;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.LoadTests;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Reports;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>`load`: drives a workflow at a rate and reports whether the rate was held, the latency, and what limits it.</summary>
internal sealed class LoadCommand
{
    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly LoadOptionSet _options = new();

    public LoadCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        (_output, _error, _environment) = (output, error, environment);
        Command = new("load", "Drives a workflow at a rate, in steps or with callers, and judges each step.");
        _options.AddTo(Command);
        Command.SetAction((parsed, cancellationToken) => RunAsync(parsed, _options.Read(parsed), cancellationToken));
    }

    public Command Command { get; }

    private async Task<int> RunAsync(ParseResult parsed, LoadRequest request, CancellationToken cancellationToken)
    {
        var console = request.Json ? _error : _output;
        await CheckAsync(request).ConfigureAwait(false);
        if (request.DryRun)
        {
            WritePlan(console, request);
            return ExitCodes.Success;
        }

        using var observer = Consoles.Observer(console);
        var command = RunCommand.CommandText(parsed);
        var options = new SuiteOptions
        {
            OutputRoot = request.Output ?? RunFolder.DefaultRoot,
            Backends = request.Backend,
            Tier = request.Profile.Name == "load" ? "load" : $"load-{request.Profile.Name}",
            Command = command,
            KeepOperations = request.KeepOperations,
        };
        using var session = await MeasuringSession.BeginAsync(options, observer, console, _error, request.LogLevel, cancellationToken)
            .ConfigureAwait(false);
        var suite = session.Suite;
        var result = await MeasureAsync(session, request, _options.ForGenerators(parsed), command, cancellationToken).ConfigureAwait(false);
        var run = suite.End();
        if (result is not null)
        {
            suite.Folder.Write(result);
            RunReports.Write(suite.Folder, run, result, EngineSettings.Values(EngineSettings.Options(result.Profile.Workers, result.Profile.Engine)));
        }
        else
            RunReports.Write(suite.Folder, run);

        if (request.Json && result is not null)
            await _output.WriteAsync(await suite.Folder.ReadAsync(RunFolder.LoadFile).ConfigureAwait(false)).ConfigureAwait(false);
        LoadSummary.Write(console, result, run, suite.Folder);
        return cancellationToken.IsCancellationRequested ? ExitCodes.Cancelled : ExitCode(run, result);
    }

    /// <summary>
    /// Checks the request before anything starts. The work of a scenario is checked on a store in memory, whatever the
    /// backend.
    /// </summary>
    private static async Task CheckAsync(LoadRequest request)
    {
        var store = new InMemoryStore();
        await using (store.ConfigureAwait(false))
            await request.Work.CheckAsync(request.OwnProfile, store).ConfigureAwait(false);
    }

    private static void WritePlan(TextWriter console, LoadRequest request)
    {
        var profile = request.Profile;
        foreach (var step in profile.Steps)
            console.WriteLine($"{profile.Name}-{step.Title}: {Words(step)}");
        console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{profile.Workflow} on {request.Backend}, {profile.Workers} worker(s), "
                + $"drain up to {Quantity.Text(profile.DrainLimit)}, cooldown {Quantity.Text(profile.Cooldown)}; nothing was run."));
    }

    private static string Words(LoadStep step) => step.Kind switch
    {
        LoadKind.BurnDown => Invariant($"a backlog of {step.Backlog:N0}, which the workers drain"),
        LoadKind.Closed => Invariant($"{step.MinUsers:N0} callers for {Quantity.Text(step.Duration)}"),
        _ => string.Create(
            CultureInfo.InvariantCulture,
            $"{Rate(step)} for {Quantity.Text(step.Duration)}, {step.Arrivals.ToString().ToLowerInvariant()}, " +
            $"{step.MinUsers:N0} to {step.MaxUsers:N0} callers{Reads(step)}"),
    };

    private static string Rate(LoadStep step) => step switch
    {
        { Wave: { } wave } => Invariant($"{wave.High:0.##}/s and {wave.Low:0.##}/s in turn with a period of {Quantity.Text(wave.Period)},"),
        { PerSecond: { } rate, BacklogBetween: { } bounds } => Invariant($"{rate:0.##}/s, a backlog between {bounds.Low:N0} and {bounds.High:N0},"),
        { PerSecond: { } rate } => Invariant($"{rate:0.##}/s"),
        { ShareOfMaximum: { } share } => Invariant($"{share * 100:0.##} % of the measured maximum"),
        _ => "a rate to be found",
    };

    private static string Reads(LoadStep step) => step.ReadsPerSecond > 0 ? Invariant($", {step.ReadsPerSecond:0.##} reads/s") : "";

    /// <returns>Null when the backend was not available, or nothing was measured.</returns>
    private async Task<LoadTestResult?> MeasureAsync(
        MeasuringSession session, LoadRequest request, IReadOnlyList<string> arguments, string command, CancellationToken cancellationToken)
    {
        var startedAt = TimeProvider.System.GetUtcNow();
        var catalog = new BackendCatalog(session.Log.Loggers, _environment, BackendCatalog.From(request.Source, request.FindMaximum ? null : ExpectedLog.Of(request.Profile)));
        using var one = request.Generator is null ? null : new OneOfTheGenerators(Console.In, cancellationToken);
        LoadTest? test = null;
        LoadTestResult? merged = null;
        FoundMaximum? found = null;
        await session.MeasureAsync(
            async token =>
            {
                if (await session.Suite.ProvideAsync(catalog.Source(request.Backend), token).ConfigureAwait(false) is not BackendProvision.Provided { Backend: var backend })
                    return;

                await using (backend.ConfigureAwait(false))
                {
                    if (request.Generators > 1)
                    {
                        var parts = await GeneratorProcesses.RunAsync(request, arguments, backend, session.Suite.Folder, token)
                            .ConfigureAwait(false);
                        merged = MergedLoad.Record(session.Suite, parts, request.Profile, command) with { Scale = request.Scale };
                        return;
                    }

                    test = new LoadTest(session.Suite, backend, request.OwnProfile, request.Work)
                    {
                        Confirmation = request.Confirmation,
                        BeforeFirstStep = one is null ? static _ => Task.CompletedTask : one.WaitForOthersAsync,
                    };
                    if (request.FindMaximum)
                        found = await test.FindMaximumAsync(token).ConfigureAwait(false);
                    else
                        await test.RunAsync(token).ConfigureAwait(false);
                }
            },
            one?.Token ?? cancellationToken).ConfigureAwait(false);
        return merged ?? test?.Result(command, startedAt, request.Scale, found);
    }

    private static int ExitCode(RunResult run, LoadTestResult? result) => result switch
    {
        _ when run.Status == RunStatus.Aborted => ExitCodes.Failed,
        null => ExitCodes.BackendUnavailable,
        { Verdict: StepVerdict.Failed } or { Found.Confirmed: false } => ExitCodes.Failed,
        _ => ExitCodes.Success,
    };
}

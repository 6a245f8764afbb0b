namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>One load test: in this process, with hosts in other processes, or by several generators.</summary>
/// <param name="arguments">The arguments for each of several generators or hosts.</param>
internal class LoadTestRun(LoadRequest request, IReadOnlyList<string> arguments, ParentProcess? one) : BackendTest<LoadTestResult>
{
    private readonly DateTimeOffset _startedAt = TimeProvider.System.GetUtcNow();
    private LoadTest? _test;
    private LoadTestResult? _merged;
    private FoundMaximum? _found;

    protected override string Backend => request.Backend;

    protected override string Tier => request.Profile.Name == "load" ? "load" : $"load-{request.Profile.Name}";

    protected override string ResultFile => RunFolder.LoadFile;

    protected override bool KeepsOperations => request.KeepOperations;

    protected override string? SourceFolder => request.SourceFolder;

    protected override long? ExpectedLogBytes => request.FindMaximum ? null : ExpectedLog.Of(request.Profile);

    protected override int Hosts => request.Hosts;

    protected override async Task MeasureAsync(SuiteRun suite, IMeasuredBackend backend, CancellationToken cancellationToken)
    {
        if (request.Generators > 1)
        {
            var parts = await GeneratorProcesses.RunAsync(request, arguments, backend, suite.Folder, cancellationToken);
            _merged = MergedLoad.Record(suite, parts, request.Profile, Command) with { Scale = request.Scale };
            return;
        }

        var hosts = request.Hosts == 0 ? null : new HostProcesses(request.Hosts, arguments, suite.Folder);
        _test = new LoadTest(suite, backend, request.OwnProfile, request.Work)
        {
            Confirmation = request.Confirmation,
            Hosts = hosts?.Source,
            BeforeEachStep = one is null ? static _ => Task.CompletedTask : one.WaitForGoAsync,
        };
        await (hosts is null ? RunAsync(cancellationToken) : hosts.WatchAsync(RunAsync, cancellationToken));
    }

    private async Task RunAsync(CancellationToken cancellationToken)
    {
        if (request.FindMaximum)
            _found = await _test!.FindMaximumAsync(cancellationToken);
        else
            await _test!.RunAsync(cancellationToken);
    }

    protected override LoadTestResult? Result() => _merged ?? _test?.Result(Command, _startedAt, request.Scale, _found);

    protected override void Write(RunFolder folder, RunResult run, LoadTestResult result)
    {
        folder.Write(result);
        var profile = result.Profile;
        var engine = result.Hosts > 0 ? EngineSettings.WithWay(profile.Engine, isDirect: false) : profile.Engine;
        var options = EngineSettings.Options(profile.Workers, engine).On(BackendNames.Capabilities(Backend));
        RunReports.Write(folder, run, result, EngineSettings.Values(options));
    }

    protected override void Summarize(TextWriter console, LoadTestResult? result, RunResult run, RunFolder folder) =>
        LoadSummary.Write(console, result, run, folder);

    protected override bool Holds(LoadTestResult result) => result is not ({ Verdict: StepVerdict.Failed } or { Found.Confirmed: false });
}

using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Output;
using Serdica.Perf.Measurement.LoadTests;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Reports;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>One load test: in this process, or by several generators.</summary>
/// <param name="request">What is tested.</param>
/// <param name="generatorArguments">The arguments for each of several generators.</param>
/// <param name="one">Set in one of several generators, which starts with the others.</param>
internal sealed class LoadTestRun(LoadRequest request, IReadOnlyList<string> generatorArguments, OneOfTheGenerators? one)
    : BackendTest<LoadTestResult>
{
    private readonly DateTimeOffset _startedAt = TimeProvider.System.GetUtcNow();
    private LoadTest? _test;
    private LoadTestResult? _merged;
    private FoundMaximum? _found;

    protected override string Backend => request.Backend;

    protected override string Tier => request.Profile.Name == "load" ? "load" : $"load-{request.Profile.Name}";

    protected override string ResultFile => RunFolder.LoadFile;

    protected override bool KeepsOperations => request.KeepOperations;

    protected override long? ExpectedLogBytes => request.FindMaximum ? null : ExpectedLog.Of(request.Profile);

    protected override async Task MeasureAsync(SuiteRun suite, IMeasuredBackend backend, CancellationToken cancellationToken)
    {
        if (request.Generators > 1)
        {
            var parts = await GeneratorProcesses.RunAsync(request, generatorArguments, backend, suite.Folder, cancellationToken)
                .ConfigureAwait(false);
            _merged = MergedLoad.Record(suite, parts, request.Profile, Command) with { Scale = request.Scale };
            return;
        }

        _test = new LoadTest(suite, backend, request.OwnProfile, request.Work)
        {
            Confirmation = request.Confirmation,
            BeforeFirstStep = one is null ? static _ => Task.CompletedTask : one.WaitForOthersAsync,
        };
        if (request.FindMaximum)
            _found = await _test.FindMaximumAsync(cancellationToken).ConfigureAwait(false);
        else
            await _test.RunAsync(cancellationToken).ConfigureAwait(false);
    }

    protected override LoadTestResult? Result() => _merged ?? _test?.Result(Command, _startedAt, request.Scale, _found);

    protected override void Write(RunFolder folder, RunResult run, LoadTestResult result)
    {
        folder.Write(result);
        RunReports.Write(folder, run, result, EngineSettings.Values(EngineSettings.Options(result.Profile.Workers, result.Profile.Engine)));
    }

    protected override void Summarize(TextWriter console, LoadTestResult? result, RunResult run, RunFolder folder) =>
        LoadSummary.Write(console, result, run, folder);

    protected override bool Holds(LoadTestResult result) => result is not ({ Verdict: StepVerdict.Failed } or { Found.Confirmed: false });
}

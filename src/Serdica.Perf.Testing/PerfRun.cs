using Serdica.Perf.Backends;
using Serdica.Perf.Backends.Logging;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Reports;
using Serdica.Perf.Results;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Testing;

/// <summary>
/// One run folder for all tests of a test run, and the servers that they share: <c>[assembly: AssemblyFixture(typeof(PerfRun))]</c>,
/// and a constructor parameter of the test class. Nothing is started before a test needs it, so that a run whose filter leaves
/// nothing leaves nothing behind. Not thread-safe: tests that measure must not run in parallel.
/// </summary>
public sealed class PerfRun : IAsyncDisposable
{
    /// <summary>Which tests will run is not known when the first asks for its server; all of them together write less.</summary>
    private const long ExpectedLogBytes = 1L << 30;

    private readonly Dictionary<string, BackendProvision> _backends = [];
    private SuiteRun? _suite;
    private RunLog? _log;

    /// <summary>
    /// Measures a scenario once, shows its progress and attaches the result to the test. The test fails when the scenario did not pass,
    /// for instance because a result in the database was wrong. It skips when the backend is not available, and fails then too where
    /// <c>SERDICA_PERF_REQUIRE</c> names the backend.
    /// </summary>
    /// <param name="backend">One of <see cref="BackendNames.All"/>.</param>
    /// <param name="scenario">The scenario.</param>
    /// <param name="options">Replaces parameters of the scenario, for instance the number of callers; null leaves them.</param>
    /// <returns>The result, for assertions about its figures.</returns>
    /// <exception cref="ArgumentException">There is no such backend.</exception>
    public async Task<ScenarioResult> MeasureAsync(string backend, Scenario scenario, RunOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        if (!BackendNames.All.Contains(backend))
        {
            throw new ArgumentException(
                $"There is no backend '{backend}'; there are {string.Join(", ", BackendNames.All)}."
                    + ClosestName.Question(backend, BackendNames.All),
                nameof(backend)
            );
        }

        var cancellationToken = TestContext.Current.CancellationToken;
        _suite ??= await SuiteRun.BeginAsync(Options(), new TestObserver(), cancellationToken);
        _log ??= OpenLog(_suite);
        var measured = await ProvideAsync(backend, cancellationToken);
        var result = await _suite.MeasureAsync(measured, scenario, options ?? new(), repeat: 1, cancellationToken);
        _log.ScenarioEnded(result);
        await AttachAsync(result, cancellationToken);
        Write(result);
        if (result.Status != ScenarioStatus.Passed)
            Assert.Fail($"{result.Name}: {string.Join(" ", result.FailureReasons)}");
        return result;
    }

    /// <summary>Stops the servers, writes the reports and names their place.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (var provision in _backends.Values.OfType<BackendProvision.Provided>())
            await provision.Backend.DisposeAsync();
        _log?.Dispose();
        if (_suite is null)
            return;
        RunReports.Write(_suite.Folder, _suite.End());
        TestContext.Current.SendDiagnosticMessage("Report: {0}", Path.Combine(_suite.Folder.Path, RunFolder.PageFile));
        TestContext.Current.SendDiagnosticMessage("Run folder: {0}", _suite.Folder.Path);
    }

    private static SuiteOptions Options() =>
        new()
        {
            OutputRoot = Path.Combine(TestedProject.Current.Root, RunFolder.DefaultRoot),
            Backends = "suite",
            Tier = "tests",
            Command = $"dotnet test {TestedProject.Current.RelativePath}",
        };

    private static RunLog OpenLog(SuiteRun suite)
    {
        // The runner shows progress; what the parts log is for the file.
        var log = RunLog.Create(suite.Folder, TextWriter.Null, TextWriter.Null);
        log.RunStarted(Options().Command);
        return log;
    }

    /// <summary>An unavailable backend skips the test with the reason, unless SERDICA_PERF_REQUIRE names the backend.</summary>
    private async Task<IMeasuredBackend> ProvideAsync(string name, CancellationToken cancellationToken)
    {
        if (!_backends.TryGetValue(name, out var provision))
            _backends[name] = provision = await _suite!.ProvideAsync(
                new BackendCatalog(_log!.Loggers, DatabaseEnvironment.Current, BackendCatalog.From(source: null, ExpectedLogBytes)).Source(
                    name
                ),
                cancellationToken
            );
        if (provision is BackendProvision.Provided { Backend: var backend })
            return backend;

        var reason = ((BackendProvision.Unavailable)provision).Reason;
        if (DatabaseEnvironment.Current.IsRequired(name, ClosestName.Question))
            Assert.Fail($"{name} is required and not available: {reason}");
        Assert.Skip(reason);
        throw new InvalidOperationException(reason);
    }

    /// <summary>
    /// The report of the run up to this test, the result as it will stand in the summary of the run, and the raw histograms. Attached
    /// after each test, because nothing can be attached once the last has ended. The runner adds the ending to the names.
    /// </summary>
    private async Task AttachAsync(ScenarioResult result, CancellationToken cancellationToken)
    {
        const string Json = "application/json";
        var folder = _suite!.Folder;
        TestContext.Current.AddAttachment(
            Path.GetFileNameWithoutExtension(RunFolder.PageFile),
            Encoding.UTF8.GetBytes(RunReports.Page(folder, _suite.SoFar())),
            "text/html"
        );
        TestContext.Current.AddAttachment(result.Name, JsonSerializer.SerializeToUtf8Bytes(result, MeasurementJson.Artifacts), Json);
        foreach (var (phase, file) in result.Histograms)
        {
            TestContext.Current.AddAttachment(
                $"{result.Name}.{phase}",
                await File.ReadAllBytesAsync(Path.Combine(folder.Path, file), cancellationToken),
                Json
            );
        }
    }

    private void Write(ScenarioResult result)
    {
        foreach (var line in (string[])[.. ProgressText.Ended(result), $"Run folder: {_suite!.Folder.Path}"])
            TestContext.Current.TestOutputHelper?.WriteLine(line);
    }

    /// <summary>Shows progress while tests run: the runner prints diagnostic messages at once, and a test's output at its end.</summary>
    private sealed class TestObserver : IRunObserver
    {
        public void Note(string sentence) => TestContext.Current.SendDiagnosticMessage("{0}", sentence);

        public void ScenarioStarted(ScenarioProgress progress) => Note(ProgressText.Started(progress));

        public void ScenarioEnded(ScenarioResult result, JudgedStep? judged)
        {
            foreach (var line in ProgressText.Ended(result, judged))
                Note(line);
        }
    }
}

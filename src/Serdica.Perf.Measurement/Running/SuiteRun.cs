using Serdica.Perf.Analysis.Capacity;
using Serdica.Perf.Analysis.Warnings;

namespace Serdica.Perf.Measurement.Running;

/// <summary>
/// One run: a folder, the environment, and the scenarios that are measured into it one after the other. Not thread-safe: two
/// measurements at the same time would measure each other.
/// </summary>
internal sealed class SuiteRun
{
    private readonly SuiteOptions _options;
    private readonly IRunObserver _observer;
    private readonly DateTimeOffset _startedAt;
    private readonly List<DatabaseDescription> _databases = [];
    private readonly List<ScenarioResult> _scenarios = [];
    private readonly List<NotMeasured> _notMeasured = [];
    private EnvironmentFingerprint _environment;
    private string? _abortReason;
    private FoundMaximum? _found;

    private SuiteRun(
        SuiteOptions options,
        IRunObserver observer,
        DateTimeOffset startedAt,
        EnvironmentFingerprint environment,
        RunFolder folder
    )
    {
        _options = options;
        _observer = observer;
        _startedAt = startedAt;
        _environment = environment;
        Folder = folder;
    }

    public RunFolder Folder { get; }

    /// <summary>See <see cref="FsyncProbeResult.WritesMissing"/>.</summary>
    internal string? WritesMissing => _environment.Fsync?.WritesMissing;

    /// <summary>Those of the whole machine, as its processor time is; a container may use fewer.</summary>
    internal int MachineCores => _environment.Machine.LogicalCores;

    /// <summary>Reads the environment and creates the folder, which states from the start what is to be run.</summary>
    public static async Task<SuiteRun> BeginAsync(SuiteOptions options, IRunObserver observer, CancellationToken cancellationToken)
    {
        var startedAt = options.Environment.TimeProvider.GetUtcNow();
        var environment = await EnvironmentReader.ReadAsync(options.Environment, cancellationToken);
        var manifest = RunManifest.Unfinished(startedAt, options.Command, environment);
        return new(
            options,
            observer,
            startedAt,
            environment,
            RunFolder.Create(options.OutputRoot, options.Backends, options.Tier, manifest)
        );
    }

    /// <summary>Provides a backend, which the caller disposes. When none is available, this is recorded, and the result says why.</summary>
    public async Task<BackendProvision> ProvideAsync(BackendSource source, CancellationToken cancellationToken)
    {
        var provision = await source.ProvisionAsync(cancellationToken);
        switch (provision)
        {
            case BackendProvision.Provided { Backend: var backend }:
                // The in-memory backend may be requested by name and for the overhead.
                if (_databases.All(database => database.Backend != backend.Description.Backend))
                    _databases.Add(backend.Description);
                await ProbeFsyncAsync(backend, cancellationToken);
                break;
            case BackendProvision.Unavailable { Reason: var reason }:
                _notMeasured.Add(new(source.Name, SecretScrubber.Scrub(reason)));
                _observer.Note($"{source.Name} is not measured: {reason}");
                break;
        }

        return provision;
    }

    /// <summary>Measures one scenario once, on its own store, which is removed afterwards.</summary>
    public async Task<ScenarioResult> MeasureAsync(
        IMeasuredBackend backend,
        Scenario scenario,
        RunOptions options,
        int repeat,
        CancellationToken cancellationToken
    )
    {
        scenario.Check(options.Engine);

        // Collect the garbage of the last scenario now, so that this one does not pay for it. The delay comes first: the code
        // that ended the last scenario is still on this call stack, and keeps its store alive until this method yields.
        await Task.Delay(1, CancellationToken.None);
        GC.Collect();
        var name = backend.Description.Backend;
        var progress = new ScenarioProgress(ScenarioRunner.FullName(name, scenario), options.Apply(scenario, repeat));
        _observer.ScenarioStarted(progress);
        IScenarioStore store;
        try
        {
            store = await backend.CreateStoreAsync(Folder.RunId);
        }
        catch (WorkflowBackendException e)
        {
            return Record(ScenarioRunner.Failed(ScenarioResults.Blank(scenario, name, progress.Parameters), progress, e));
        }

        try
        {
            await using var log = OpenLog(progress);
            var measurement = await new ScenarioRunner(options)
            {
                ReadUsageAsync = backend.ReadUsageAsync,
                WritesMissing = WritesMissing,
                MachineCores = MachineCores,
                Samples = Folder.Append,
                Log = log.Operations,
            }.RunAsync(scenario, store, progress, cancellationToken);
            return Record(measurement);
        }
        finally
        {
            await RemoveAsync(store);
        }
    }

    /// <summary>Removes a store. A server that is gone by then takes neither a result with it nor the reason why there is none.</summary>
    internal async Task RemoveAsync(IScenarioStore store)
    {
        try
        {
            await store.DisposeAsync();
        }
        catch (WorkflowBackendException e)
        {
            _observer.Note(
                $"A store on {store.Backend} could not be removed; on a server of your own, 'serdica-perf leftovers' lists it. {e.Message}"
            );
        }
    }

    /// <summary>Announces a measurement that is not a run of a scenario, for instance a step of a load test.</summary>
    internal void Announce(ScenarioProgress progress) => _observer.ScenarioStarted(progress);

    /// <summary>The log for the operations of a measurement; it writes nothing when they are not kept.</summary>
    internal KeptOperations OpenLog(ScenarioProgress progress) =>
        new(_options.KeepOperations ? Folder.OpenOperations(progress.Name, progress.Parameters.Repeat) : null, progress.Name, Note);

    /// <summary>What is observed during the window of such a measurement; its samples go to the run folder and to its resources.</summary>
    internal WindowWatch Watch(ScenarioProgress progress, IScenarioStore store, IMeasuredBackend backend, ResourceSeries resources) =>
        new(
            progress,
            store.Statistics,
            backend.ReadUsageAsync,
            sample =>
            {
                resources.Add(sample);
                Folder.Append(sample);
            }
        )
        {
            WritesMissing = WritesMissing,
            MachineCores = MachineCores,
        };

    /// <summary>The resources of such a measurement, to be given to <see cref="Watch"/>.</summary>
    internal ResourceSeries Resources() => new(MachineCores, WritesMissing);

    /// <summary>A sentence for the observer.</summary>
    internal void Note(string sentence) => _observer.Note(sentence);

    /// <summary>Writes the histograms of a measurement, and adds it to the run.</summary>
    /// <param name="judged">The verdict on it as a step; null for a scenario by itself.</param>
    internal ScenarioResult Record(ScenarioMeasurement measurement, JudgedStep? judged = null)
    {
        var repeat = measurement.Result.Parameters.Repeat;
        var result = measurement.Result with
        {
            FailureReasons = [.. measurement.Result.FailureReasons.Select(SecretScrubber.Scrub)],
            Histograms = measurement.Histograms.ToDictionary(
                entry => entry.Key,
                entry => Folder.WriteHistogram(measurement.Result.Name, entry.Key, entry.Value, repeat)
            ),
            IntervalHistograms = measurement.Intervals is { } intervals
                ? Folder.WriteIntervals(measurement.Result.Name, intervals, repeat)
                : null,
        };
        _scenarios.Add(result);
        _observer.ScenarioEnded(result, judged);
        return result;
    }

    /// <summary>The run as if it had only this measurement, for an analysis of it.</summary>
    internal RunResult Preview(ScenarioResult scenario) => Result([scenario]);

    /// <summary>Records that the run was stopped before its end.</summary>
    public void Abort(string reason) => _abortReason = SecretScrubber.Scrub(reason);

    /// <summary>Records the end of a search. The run is judged by what it found and not by its trials.</summary>
    internal void Conclude(FoundMaximum found) => _found = found;

    /// <summary>Writes manifest, summary and report.</summary>
    public RunResult End()
    {
        _environment = _environment with { LoadAverageAtEnd = EnvironmentReader.ReadLoadAverage(_options.Environment) };
        var result = SoFar();
        Folder.Write(result);
        return result;
    }

    /// <summary>The run as if it ended now; nothing is written.</summary>
    public RunResult SoFar() => Result(_scenarios);

    private RunResult Result(IReadOnlyList<ScenarioResult> scenarios)
    {
        var (status, reason) = Status();
        return new()
        {
            Status = status,
            StatusReason = reason,
            RunId = Folder.RunId,
            StartedAt = _startedAt,
            FinishedAt = _options.Environment.TimeProvider.GetUtcNow(),
            Command = _options.Command,
            Environment = _environment,
            Databases = _databases,
            Warnings = WarningAnalysis.Of(_environment, _databases, scenarios),
            Scenarios = scenarios,
            Repeats = RepeatSummary.Of(scenarios),
            Ladders = CapacityLadders.Of(scenarios),
            NotMeasured = _notMeasured,
        };
    }

    private (RunStatus Status, string? Reason) Status()
    {
        if (_abortReason is not null)
            return (RunStatus.Aborted, _abortReason);

        var failed = _scenarios.Where(scenario => scenario.FailsTheRun).Select(scenario => scenario.Name).Distinct().ToArray();
        if (failed.Length > 0)
            return (
                RunStatus.Failed,
                $"{failed.Length} of {_scenarios.DistinctBy(scenario => scenario.Name).Count()} scenarios failed: "
                    + $"{string.Join(", ", failed)}."
            );
        if (_found is not null)
            return (_found is { Confirmed: false, HighestHeld: null } ? RunStatus.Failed : RunStatus.Passed, _found.Sentence);
        return _scenarios.Count == 0 ? (RunStatus.Failed, "Nothing was measured.") : (RunStatus.Passed, null);
    }

    private async Task ProbeFsyncAsync(IMeasuredBackend backend, CancellationToken cancellationToken)
    {
        // Once in a run: local servers keep their data side by side, and so do those of one container engine.
        if (_options.FsyncProbe <= TimeSpan.Zero || _environment.Fsync is not null)
            return;

        try
        {
            var measured = await backend.ProbeFsyncAsync(cancellationToken);
            if (measured is null && backend.DataFolder is { } folder)
                measured = FsyncProbe.Run(folder, _options.FsyncProbe, cancellationToken);
            _environment = _environment with { Fsync = measured };
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            _observer.Note($"The cost of a flush on the volume of {backend.Description.Backend} is not known: {error.Message}");
        }
    }
}

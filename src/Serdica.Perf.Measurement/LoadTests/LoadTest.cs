namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// Runs a load test on one backend, step by step, into the folder of a run: first the generator's own ceiling, then the measured
/// maximum where a step is a share of it, then the steps with their pauses.
/// </summary>
internal sealed class LoadTest(SuiteRun suite, IMeasuredBackend backend, LoadProfile profile, LoadWork work)
{
    /// <summary>The users of the calibration, which must be enough to saturate a backend.</summary>
    private const int CalibrationUsers = 64;

    private static readonly TimeSpan CeilingTrial = FromMilliseconds(50);

    private readonly List<StepResult> _steps = [];
    private readonly PhaseLog _phases = new();
    private double _ceiling;
    private double? _maximum;
    private bool _finished;

    /// <value>Awaited when everything for a step is prepared, so that several generators start each step together.</value>
    public Func<CancellationToken, Task> BeforeEachStep { get; init; } = static _ => Task.CompletedTask;

    /// <value>
    /// How long a rate that a search has found must be sustained; default <see cref="MaximumSearch.ShortestConfirmation"/>, and never
    /// shorter than a trial.
    /// </value>
    public TimeSpan Confirmation { get; init; } = MaximumSearch.ShortestConfirmation;

    /// <value>Host processes for the store of each session; null for a host in this process.</value>
    public HostSource? Hosts { get; init; }

    internal DriverOptions Driver { get; init; } = new();

    /// <value>The generator's ceiling where it is given; null to measure it.</value>
    internal double? Ceiling { get; init; } = GeneratorCeiling.Given;

    /// <summary>Whether a broken threshold has ended the test.</summary>
    private bool IsEnded => _steps is [.., { EndedEarly: not null }];

    /// <summary>
    /// Runs all steps. After a cancellation or a failure of the backend, <see cref="Result"/> contains what was measured.
    /// </summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    /// <exception cref="LoadProfileException">
    /// The profile requires what its work cannot do, see <see cref="LoadWork.CheckAsync"/>.
    /// </exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        work.Check(profile);
        await MeasureCeilingAsync(cancellationToken);
        foreach (var (index, steps) in StepsOfStores().Index().TakeWhile(_ => !IsEnded))
        {
            await CooldownAsync(index, cancellationToken);
            await RunAsync(steps, cancellationToken);
        }

        _finished = true;
    }

    /// <summary>Searches for the highest sustained rate, see <see cref="MaximumSearch"/>; its trials are the steps.</summary>
    public async Task<FoundMaximum> FindMaximumAsync(CancellationToken cancellationToken)
    {
        work.Check(profile);
        await MeasureCeilingAsync(cancellationToken);
        await using (var session = await OpenAsync(workersLater: false, cancellationToken))
        {
            var pattern = profile.Steps[0];
            await CalibrateAsync(session, pattern.Duration, cancellationToken);
            MaximumSearch search = null!;
            search = new(
                _maximum!.Value,
                pattern.Duration,
                MaximumSearch.Confirmation(Confirmation, pattern.Duration),
                async (rate, duration) =>
                {
                    var name = Invariant($"{(search.IsConfirming ? "confirm" : "trial")}-{_steps.Count + 1}");
                    return await StepAsync(
                            pattern with { Name = name, PerSecond = rate, ShareOfMaximum = null, Duration = duration },
                            session,
                            isFirst: false,
                            profile with { WaitForClean = true },
                            cancellationToken,
                            isTrial: true
                        );
                }
            );
            var found = await search.RunAsync();
            suite.Conclude(found);
            _finished = true;
            return found;
        }
    }

    /// <summary>What has been measured so far.</summary>
    public LoadTestResult Result(string command, DateTimeOffset startedAt, double scale, FoundMaximum? found) =>
        new()
        {
            Verdict = _finished && _steps.Count > 0 ? Worst(found) : StepVerdict.Failed,
            RunId = suite.Folder.RunId,
            StartedAt = startedAt,
            Backend = backend.Description.Backend,
            Profile = profile,
            Scale = scale,
            Hosts = Hosts?.Count ?? 0,
            GeneratorCeilingPerSecond = _ceiling,
            MaximumPerSecond = _maximum,
            Steps = _steps,
            NotRun = found is null ? [.. profile.Steps.Skip(_steps.Count).Select(step => step.Title)] : [],
            Phases = _phases.Phases,
            Found = found,
            Command = command,
        };

    /// <summary>
    /// The verdict on a search ignores failed trials, which are part of it: what counts is that it found a rate, and that no
    /// result was wrong.
    /// </summary>
    private StepVerdict Worst(FoundMaximum? found) =>
        found switch
        {
            null => _steps.Max(step => step.Verdict),
            _ when _steps.Any(step => step.FailedChecks.Count > 0) => StepVerdict.Failed,
            { Confirmed: true } => StepVerdict.Passed,
            { HighestHeld: not null } => StepVerdict.Degraded,
            _ => StepVerdict.Failed,
        };

    /// <summary>Steps that share a store, for each store in turn.</summary>
    private IEnumerable<IReadOnlyList<LoadStep>> StepsOfStores() =>
        profile.FreshSteps
            ? profile.Steps.Select(step => (IReadOnlyList<LoadStep>)[step])
            : profile.Steps.GroupBy(step => step.Repeat).Select(steps => (IReadOnlyList<LoadStep>)[.. steps]);

    private async Task<LoadSession> OpenAsync(bool workersLater, CancellationToken cancellationToken)
    {
        _phases.Enter(LoadPhaseKind.WarmUp);
        var session = await LoadSession.OpenAsync(suite, backend, profile, work, Hosts, workersLater, cancellationToken);
        _phases.Leave();
        return session;
    }

    private async Task MeasureCeilingAsync(CancellationToken cancellationToken)
    {
        _phases.Enter(LoadPhaseKind.Ceiling);
        _ceiling = Ceiling ?? await GeneratorCeiling.MeasureAsync(CeilingTrial, Driver, cancellationToken);
        _phases.Leave();
        suite.Note(
            Invariant($"The generator alone reaches {_ceiling:N0} round trips/s over the loopback on this machine.")
        );
    }

    private async Task RunAsync(IReadOnlyList<LoadStep> steps, CancellationToken cancellationToken)
    {
        var workersLater = steps[0].Kind == LoadKind.BurnDown || profile.WorkerDelay > TimeSpan.Zero;
        await using (var session = await OpenAsync(workersLater, cancellationToken))
        {
            for (var index = 0; index < steps.Count && !IsEnded; index++)
            {
                await CooldownAsync(index, cancellationToken);
                var step = await WithRateAsync(steps[index], session, cancellationToken);
                await StepAsync(
                        step,
                        session,
                        index == 0,
                        profile,
                        cancellationToken
                    );
            }
        }
    }

    private async Task<LoadStep> WithRateAsync(LoadStep step, LoadSession session, CancellationToken cancellationToken)
    {
        if (step.ShareOfMaximum is not { } share)
            return step;
        if (_maximum is null)
        {
            await session.StartWorkersAsync(cancellationToken);
            await CalibrateAsync(session, step.Duration, cancellationToken);
        }

        return step with { PerSecond = share * _maximum!.Value };
    }

    /// <summary>A tenth of the step's duration, between 0.5 s and 10 s.</summary>
    /// <exception cref="WorkflowBackendException">Nothing completed.</exception>
    private async Task CalibrateAsync(LoadSession session, TimeSpan duration, CancellationToken cancellationToken)
    {
        var length = FromSeconds(Math.Clamp(duration.TotalSeconds / 10, 0.5, 10));
        _phases.Enter(LoadPhaseKind.Calibration);
        _maximum = await session.PreludeAsync(CalibrationUsers, length, profile.DrainLimit, cancellationToken);
        _phases.Leave();
        suite.Note(
            Invariant($"A closed load of {CalibrationUsers} users completed {_maximum:N0} operations a second.")
        );
        if (_maximum <= 0)
            throw new WorkflowBackendException(SoakCalibration.NothingCompleted, isTransient: false);
    }

    private async Task CooldownAsync(int index, CancellationToken cancellationToken)
    {
        if (index == 0 || profile.Cooldown <= TimeSpan.Zero)
            return;

        _phases.Enter(LoadPhaseKind.Cooldown);
        await Task.Delay(profile.Cooldown, cancellationToken);
        _phases.Leave();
    }

    private async Task<StepResult> StepAsync(
        LoadStep step,
        LoadSession session,
        bool isFirst,
        LoadProfile rules,
        CancellationToken cancellationToken,
        bool isTrial = false
    )
    {
        try
        {
            var result = await new StepRunner(suite, backend, rules, work, _phases)
            {
                Driver = Driver,
                Number = _steps.Count,
                Hosts = Hosts?.Count ?? 0,
                IsTrial = isTrial,
                ReadyAsync = BeforeEachStep,
            }.RunAsync(step, session, isFirst, cancellationToken);
            _steps.Add(result);
            return result;
        }
        finally
        {
            // Done now and not when the session is disposed too; after a completed step no phase is in progress.
            _phases.BreakOff();
        }
    }
}

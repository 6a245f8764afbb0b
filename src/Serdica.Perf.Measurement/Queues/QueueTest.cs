namespace Serdica.Perf.Measurement.Queues;

/// <summary>Runs a <see cref="QueuePlan"/> on one backend, into the folder of a run.</summary>
/// <param name="repeat">The number of the repeat, from 1.</param>
internal sealed class QueueTest(SuiteRun suite, IMeasuredBackend backend, QueuePlan plan, int repeat = 1)
{
    private static readonly TimeSpan LookInterval = FromMilliseconds(2);

    private readonly PhaseLog _phases = new();

    /// <value>Whether it is one level of a ladder; its name then contains the number of writers.</value>
    public bool IsRung { get; init; }

    /// <value>The driver's options; a test can make it impatient.</value>
    public DriverOptions Driver { get; init; } = new();

    /// <value>
    /// Settings of the engine by name, see <see cref="EngineSettings"/>; default none. The plan sets how long readers linger.
    /// </value>
    public IReadOnlyDictionary<string, string> Engine { get; init; } = new Dictionary<string, string>();

    /// <value>Processes that read; null when this one does.</value>
    public HostSource? Hosts { get; init; }

    /// <exception cref="OperationCanceledException">The token fired.</exception>
    /// <exception cref="NotSupportedException">The backend has no bare queue, or no vacuum to tune.</exception>
    public async Task<QueueTestResult> RunAsync(string command, CancellationToken cancellationToken)
    {
        var stores = new List<IScenarioStore>();
        try
        {
            for (var index = 0; index < plan.Queues * plan.Copies; index++)
                stores.Add(await backend.CreateStoreAsync(suite.Folder.RunId));
            await using (var workload = new QueueWorkload(stores, plan, Engine))
            {
                if (Hosts is not null)
                    await workload.LetReadAsync(Hosts, cancellationToken);
                return await RunAsync(workload, stores[0], command, cancellationToken);
            }
        }
        finally
        {
            foreach (var store in stores)
                await suite.RemoveAsync(store);
        }
    }

    private async Task<QueueTestResult> RunAsync(
        QueueWorkload workload,
        IScenarioStore store,
        string command,
        CancellationToken cancellationToken
    )
    {
        var scenario = Declare(workload);
        var progress = new ScenarioProgress(ScenarioRunner.FullName(store.Backend, scenario), scenario.Parameters);
        suite.Announce(progress);
        _phases.Enter(LoadPhaseKind.WarmUp);
        await workload.OpenAsync(cancellationToken);
        if (plan.WarmUp > TimeSpan.Zero)
        {
            progress.Phase = ScenarioPhase.WarmingUp;
            var brief = plan with { Duration = plan.WarmUp };
            var warming = new DrivenQueue(Writes(workload, brief), brief, repeat, Driver);
            await warming.RunAsync(cancellationToken);
            await DrainAsync(warming, cancellationToken);
        }

        _phases.Enter(LoadPhaseKind.Audit, scenario.Name);
        var before = await workload.Backend.TakeCensusAsync(cancellationToken);
        progress.Planned = plan.PerSecond is { } rate ? (int)(rate * plan.Duration.TotalSeconds) : 0;
        var resources = suite.Resources();
        var writes = Writes(workload, plan);
        DrivenQueue? load = null;
        QueueReporter? reporter = null;
        var measuring = new MeasuredRun
        {
            Blank = ScenarioResults.Blank(scenario, store.Backend, scenario.Parameters),
            Workload = workload,
            Operations = writes,
            Watch = suite.Watch(progress, store, backend, resources),
            Before = before,
            Phases = _phases,
            Title = scenario.Name,
            DriveAsync = async token =>
            {
                // Created now, because its schedule starts.
                load = new DrivenQueue(writes, plan, repeat, Driver);
                progress.Measure(load.Recorder);
                reporter = new QueueReporter(writes, load.Recorder, plan, suite.Note);
                await load.RunAsync(token);
            },
            DrainAsync = async token =>
            {
                await DrainAsync(load!, token);
                await reporter!.DisposeAsync();
                return Outcome(load!);
            },
            DrainLimit = TimeSpan.Zero,
            VerifyAsync = async (outcome, _, token) =>
            {
                var (messages, dead) = await workload.CountAsync(token);
                return
                [
                    CensusAudit.Equal("no message left in any queue", 0, messages),
                    CensusAudit.Equal("no message put aside by the database", 0, dead),
                    .. await writes.VerifyAsync(outcome.Started, token),
                ];
            },
            Further = () =>
                [
                    (PhaseNames.Enqueue, writes.WriteTime.Snapshot()),
                    (PhaseNames.EnqueueToHandled, writes.Ledger.EndToEnd.Snapshot()),
                    (PhaseNames.Read, writes.Ledger.ReadTime.Snapshot()),
                ],
        };
        try
        {
            var measured = (await measuring.RunAsync(cancellationToken)).Measurement;
            _phases.Leave();
            var result = QueueResults.Of(load!, measured.Result, reporter!, plan, suite.Folder.RunId, command) with
            {
                Phases = _phases.Phases,
                Resources = resources.Figures(),
                Warnings = [.. Warnings(workload, load!, store)],
            };

            // What fails the test fails its scenario, so that no comparison takes its figures for good.
            suite.Record(
                result.Verdict == StepVerdict.Failed
                    ? measured with { Result = measured.Result with { Status = ScenarioStatus.Failed, FailureReasons = result.Reasons } }
                    : measured,
                new(result.Verdict, result.Reasons)
            );
            return result;
        }
        finally
        {
            if (reporter is not null)
                await reporter.DisposeAsync();
        }
    }

    private static QueueWrites Writes(QueueWorkload workload, QueuePlan plan) =>
        (QueueWrites)
            workload.CreateOperations(
                plan.PerSecond is { } rate
                    ? Math.Max(1, ArrivalTimes.AtMost(rate, plan.Duration, DrivenQueue.Arrivals))
                    : OperationSet.Endless,
                warmUp: false
            );

    private async Task DrainAsync(DrivenQueue load, CancellationToken cancellationToken)
    {
        var begin = Stopwatch.GetTimestamp();
        while (
            (load.Recorder.InFlight > 0 || load.Writes.Ledger.MessagesRead < load.Recorder.Completed)
            && Stopwatch.GetElapsedTime(begin) < plan.DrainLimit
        )
            await Task.Delay(LookInterval, cancellationToken);
    }

    private Scenario Declare(QueueWorkload workload) =>
        new()
        {
            Name = (plan.Mode == QueueMode.Queue ? "queue" : "queue-pubsub") + (IsRung ? Invariant($"-w{plan.Writers}") : ""),
            Tier = Tiers.Load,
            Family = ScenarioFamilies.Load,
            Description = "Messages written by writers and taken by readers, without instances.",
            Parameters = new()
            {
                Operations = 0,
                Repeat = repeat,
                DurationSeconds = plan.Duration.TotalSeconds,
                Concurrency = plan.Writers,
                Workers = Hosts is null ? plan.Readers : (plan.Readers + Hosts.Count - 1) / Hosts.Count,
                Engine = Engine,
                Load = plan.PerSecond is null ? LoadModel.Closed : LoadModel.Open,
                PayloadBytes = plan.PayloadBytes,
                Options = Options(),
            },
            CreateWorkload = (_, _) => workload,
        };

    private Dictionary<string, string> Options()
    {
        var options = plan.PerSecond is null ? [] : ArrivalText.Options(DrivenQueue.Arrivals, DrivenQueue.Seed);
        options["plan"] = plan.ToString();
        if (Hosts is not null)
            options[ScenarioParameters.HostsOption] = Invariant($"{Hosts.Count}");
        return options;
    }

    private LoadOutcome Outcome(DrivenQueue load) =>
        load.Recorder.Outcome(load.Driver.Offered, load.Window, load.Recorder.LastCompletion) with
        {
            WhyStalled =
                $"{Figure.Number(load.Recorder.InFlight, "write")} had not ended when the drain limit of "
                + $"{Quantity.Text(plan.DrainLimit)} had passed.",

            // Writes have no steps to name.
            Errors = [.. load.Recorder.Errors.Snapshot().Select(error => $"{error.Count} times {error.Kind}: {error.FirstMessage}")],
        };

    private IEnumerable<string> Warnings(QueueWorkload workload, DrivenQueue load, IScenarioStore store)
    {
        if (load.Driver.UsedUp)
            yield return Invariant($"Writing ended after {load.Window.TotalSeconds:0.0} s, before its time was over: a test can number at ")
                + Invariant($"most {OperationSet.Endless:N0} messages. The rates are over that time.");
        if (workload.Warning is { } warning)
            yield return warning;
        if (store.Statistics is not null && plan.Queues * plan.Copies is > 1 and var queues)
            yield return Invariant($"Each of the {queues:N0} queues has tables of its own. Messages, latencies and counters of the ")
                + "readers are of all of them, and so is what the server counts for a whole database; what it counts by table is of the "
                + "first queue only.";
    }
}

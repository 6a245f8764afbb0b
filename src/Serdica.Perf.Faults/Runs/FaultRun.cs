using Npgsql;
using Serdica.Perf.Databases.PostgreSql;
using Serdica.Perf.Faults.Checking;

namespace Serdica.Perf.Faults.Runs;

/// <summary>
/// One run: hosts and callers work while the faults of the plan strike one after the other; then everything comes to rest, the database
/// is read, and the history is checked.
/// </summary>
/// <param name="server">A throw-away server that this process has started, local or in a container; belongs to the caller.</param>
/// <param name="progress">Gets a line for each thing that happens.</param>
/// <param name="thresholds">Judged at the end; none by default.</param>
internal sealed class FaultRun(
    FaultPlan plan,
    DatabaseServer server,
    string folder,
    Action<string> progress,
    IReadOnlyList<FaultThreshold>? thresholds = null,
    FaultedStore? opener = null
)
{
    private const int Callers = 16;

    /// <summary>The callers end their instances, and everything comes to rest.</summary>
    private static readonly TimeSpan RestLimit = FromMinutes(2);

    private static readonly TimeSpan RestPoll = FromMilliseconds(100);
    private static readonly TimeSpan ConnectionsPoll = FromMilliseconds(200);

    private readonly IServerActuator _actuator = server switch
    {
        LocalPostgreSqlServer local => new ServerActuator(local),
        LocalCitusCluster cluster => new ClusterActuator(cluster),
        ContainerServer { IsOwn: true } container => new ContainerActuator(container),
        _ => throw new ArgumentException(
            $"The server comes from '{server.Description.Source}' and is not of this run alone; faults are done to no other.",
            nameof(server)
        ),
    };

    private readonly List<StruckFault> _struck = [];
    private bool _isStuck;

    /// <summary>The callers of this process and of the hosts.</summary>
    public static int CallersOf(FaultPlan plan) => Callers + (plan.Hosts * HostProcess.Callers);

    /// <summary>Returns when the history was checked and the result written; everything that was started has ended.</summary>
    /// <exception cref="FaultRunException">It could not be finished.</exception>
    public async Task<(FaultResult Result, CheckReport Report)> RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await RunToItsEndAsync(cancellationToken);
        }
        catch (Exception e)
            when (e is TimeoutException or InvalidOperationException or NpgsqlException or InvalidDataException or IOException)
        {
            throw new FaultRunException($"{e.Message.TrimEnd('.')}; the files of the run are in {folder}.", e);
        }
    }

    private async Task<(FaultResult Result, CheckReport Report)> RunToItsEndAsync(CancellationToken cancellationToken)
    {
        Directory.CreateDirectory(folder);
        var startedAt = DateTimeOffset.UtcNow;
        await using var stage = new FaultStage(plan, server, _actuator, folder, opener ?? new FaultedStore());
        if (plan.Faults.Any(fault => fault.Kind == FaultKind.FillVolume))
            await stage.AddVolumeAsync(cancellationToken);
        await using (var before = stage.OpenDirect())
            await before.InitializeAsync(cancellationToken);
        FaultLoad load;
        long directSignals;
        long began;
        long ended;
        await using (var run = new HistoryWriter(stage.History, "run", "run"))
        {
            WriteLimits(run);
            await stage.StartHostsAsync(plan.Hosts, cancellationToken);
            await using var clients = new HistoryWriter(stage.History, "clients", "client");
            await using var recording = new RecordingBackend(stage.OpenForClients(), clients);
            var registry = new WorkflowRegistry(ShapedWorkflow.Definitions(new EffectRecorder(clients)));
            await using var client = new WorkflowClient(recording, registry, HostOptions.With(plan.Engine));
            load = new FaultLoad(client, clients, "c", Callers, plan.ThinkTime);
            began = Stopwatch.GetTimestamp();
            load.Start();
            try
            {
                ended = await StrikeAsync(stage, run, load, began, cancellationToken);
            }
            finally
            {
                progress("The load ends.");
                await load.StopAsync(cancellationToken.IsCancellationRequested ? TimeSpan.Zero : RestLimit);
            }

            directSignals = await stage.EndLoadAsync(cancellationToken);
            await RestAsync(stage, cancellationToken);
            WriteConnections(run, HistoryPhase.Done, await ConnectionsAsync(stage, cancellationToken));
            await stage.StopHostsAsync(cancellationToken);
        }

        progress("The database is read, and the history is checked.");
        await using (var after = stage.OpenDirect())
            await FinalState.WriteAsync(after, stage.History, cancellationToken: cancellationToken);
        var maker = new FigureMaker(began, ended, load.Completions, load.Failures, Repeats(stage.History));
        var figures = maker.Make(_struck);
        var report = HistoryChecker.Check(stage.History, cancellationToken);
        var result = new FaultResult
        {
            Database =
                $"{server.Description.Product} {server.Description.Version}"
                + (server.Description.Container is { } container ? $" in a container of {container.Image}" : ""),
            StartedAt = startedAt,
            Plan = plan,
            Verdict = report.Verdict(),
            Operations = report.Operations,
            DirectSignals = directSignals,
            UnknownOutcomes = report.UnknownOutcomes,
            Lines = report.Lines,
            Invariants = report.Invariants,
            Faults = figures,
            Timeline = maker.Timeline(),
            Thresholds = ThresholdFinding.Judge(plan.Name, thresholds ?? [], figures),
        };
        Write(result);
        return (result, report);
    }

    /// <summary>Returns the timestamp of the end of the load, when it has come.</summary>
    private async Task<long> StrikeAsync(
        FaultStage stage,
        HistoryWriter run,
        FaultLoad load,
        long began,
        CancellationToken cancellationToken
    )
    {
        var injector = new FaultInjector(stage, progress);
        foreach (var fault in plan.Faults)
        {
            var strikes = fault.StrikesAt(_struck.LastOrDefault()?.Planned, Stopwatch.GetElapsedTime(began));
            if (_struck.Count == 0)
            {
                await WaitUntilAsync(began, strikes - Growth.Quiet, cancellationToken);
                var most = await MostConnectionsAsync(stage, cancellationToken);
                WriteConnections(run, HistoryPhase.Began, most);
            }

            await WaitUntilAsync(began, strikes, cancellationToken);
            await AwaitSuccessAsync(load, cancellationToken);
            progress(fault.ToString());
            var record = new HistoryRecord
            {
                Kind = HistoryKind.Fault,
                Operation = run.NextOperation(),
                Name = FaultTraits.Name(fault.Kind),
                Process = injector.Process(fault),
                Least = fault.Cuts,
                Stops = FaultTraits.Of(fault.Kind).Stops ? true : null,
            };
            run.Write(record with { Phase = HistoryPhase.Began });
            var at = Stopwatch.GetTimestamp();
            var evidence = await injector.StrikeAsync(fault, cancellationToken);
            _struck.Add(new(fault, at, Stopwatch.GetTimestamp(), evidence));
            run.Write(record with { Phase = HistoryPhase.Done, Value = evidence.Value, Detail = evidence.Sentence });
            progress($"           {evidence.Sentence}");
        }

        // A fault may last longer than planned, for what was stopped has to start; one that has cut its commits lasts less.
        var settled = Stopwatch.GetElapsedTime(began) + BuiltInPlans.Settle;
        var end = settled > plan.Duration || plan.Faults is [.., { Cuts: not null }] ? settled : plan.Duration;
        await WaitUntilAsync(began, end, cancellationToken);
        await AwaitSuccessAsync(load, cancellationToken);
        return began + (long)(end.TotalSeconds * Stopwatch.Frequency);
    }

    /// <summary>Returns when an instance that began after the last fault has closed; once none has in time, it waits no more.</summary>
    private async Task AwaitSuccessAsync(FaultLoad load, CancellationToken cancellationToken)
    {
        if (_isStuck)
            return;
        var since = _struck.LastOrDefault()?.Ended ?? 0;
        bool HasClosed() => load.Completions.Any(closed => Stopwatch.GetElapsedTime(since, closed.At) >= closed.Latency);
        _isStuck = !await UntilAsync(() => Task.FromResult(HasClosed()), cancellationToken);
    }

    private static async Task WaitUntilAsync(long began, TimeSpan at, CancellationToken cancellationToken)
    {
        var left = at - Stopwatch.GetElapsedTime(began);
        if (left > TimeSpan.Zero)
            await Task.Delay(left, cancellationToken);
    }

    /// <summary>Returns when no signal is left and no activity runs, or after the limit: the checker then says what is stuck.</summary>
    private static async Task RestAsync(FaultStage stage, CancellationToken cancellationToken)
    {
        await using var direct = stage.OpenDirect();
        await UntilAsync(
            async () =>
                await direct.TakeCensusAsync(cancellationToken) is { SignalsDue: 0, SignalsLater: 0 } census
                && census.Count(InstanceStatus.Running) == 0,
            cancellationToken
        );
    }

    /// <returns>False when it was not so within the limit.</returns>
    private static Task<bool> UntilAsync(Func<Task<bool>> isSo, CancellationToken cancellationToken) =>
        Waiting.UntilAsync(isSo, so => so, RestPoll, RestLimit, cancellationToken);

    private void Write(FaultResult result)
    {
        File.WriteAllText(Path.Combine(folder, FaultResult.FileName), JsonSerializer.Serialize(result, MeasurementJson.Artifacts) + "\n");
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        FaultMarkdown.Write(text, result);
        File.WriteAllText(Path.Combine(folder, FaultMarkdown.FileName), text.ToString());
    }

    private void WriteLimits(HistoryWriter run) =>
        run.Write(
            new()
            {
                Kind = HistoryKind.Limits,
                Limits = new()
                {
                    SignalAttempts = HostOptions.SignalAttempts,
                    ActivityAttempts = HostOptions.ActivityRetry.MaxAttempts,
                    Required = plan.Required,
                    Window = (long)RestLimit.TotalMicroseconds,
                    GaugeBand = 0.5,

                    // All callers try again at once after a fault, and pools keep a connection for each of them.
                    GaugeSlack = CallersOf(plan),
                },
            }
        );

    /// <summary>The most connections under the load, once their number has stopped growing.</summary>
    private async Task<long> MostConnectionsAsync(FaultStage stage, CancellationToken cancellationToken)
    {
        var growth = new Growth();
        var began = Stopwatch.GetTimestamp();
        while (!growth.HasEnded(await ConnectionsAsync(stage, cancellationToken), Stopwatch.GetElapsedTime(began)))
            await Task.Delay(ConnectionsPoll, cancellationToken);
        return growth.Most;
    }

    private Task<long> ConnectionsAsync(FaultStage stage, CancellationToken cancellationToken) =>
        stage.OnNodesAsync(node => node.CountAsync(Limit, cancellationToken));

    /// <summary>How many connections a node allows.</summary>
    private long Limit =>
        server.Description.Settings.TryGetValue(PostgreSqlSettings.MaxConnections, out var limit)
            ? long.Parse(limit, CultureInfo.InvariantCulture)
            : PostgreSqlSettings.Connections;

    private static void WriteConnections(HistoryWriter run, HistoryPhase phase, long connections) =>
        run.Write(
            new()
            {
                Kind = HistoryKind.Gauge,
                Name = "connections",
                Phase = phase,
                Value = connections,
            }
        );

    /// <summary>Timestamps of this process for what others wrote down by the wall clock.</summary>
    private static IEnumerable<long> Repeats(string history)
    {
        var (now, timestamp) = (DateTimeOffset.UtcNow, Stopwatch.GetTimestamp());
        return RepeatedActivities.Read(history).Select(at => timestamp - (long)((now - at).TotalSeconds * Stopwatch.Frequency)).ToList();
    }
}

namespace Serdica.Perf.Measurement.Queues;

/// <summary>
/// The bare queues of a test: one store for each queue and each copy of its messages, with a pump of readers on it, in this process or
/// in others. Writers that write at the same time share their commit, and a reader claims the available messages in one statement and
/// removes them in one commit.
/// </summary>
internal sealed class QueueWorkload : Workload
{
    private readonly QueuePlan _plan;
    private readonly List<(IScenarioStore Store, IWorkflowBackend Backend, MessagePump Pump)> _queues = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly QueueMaintenance _maintenance;
    private Task _maintaining = Task.CompletedTask;
    private QueueWrites? _current;

    /// <param name="stores">One for each queue and copy; the copies of a queue are neighbours.</param>
    public QueueWorkload(IReadOnlyList<IScenarioStore> stores, QueuePlan plan, IReadOnlyDictionary<string, string> engine)
        : base(stores[0], EngineSettings.Options(ReadersOf(0, plan.Readers, stores.Count), engine))
    {
        _plan = plan;
        for (var index = 0; index < stores.Count; index++)
        {
            var copy = index % plan.Copies;
            var backend = index == 0 ? Backend : stores[index].Connect();
            var options = Options with { Workers = ReadersOf(index, plan.Readers, stores.Count), Linger = plan.Linger };
            _queues.Add(
                (
                    stores[index],
                    backend,
                    new MessagePump(backend, handled => Take(QueueRead.Of(copy, handled, plan.PayloadBytes)), options, Troubles)
                )
            );
        }

        _maintenance = new([.. _queues.Select(queue => (Func<CancellationToken, Task>)queue.Backend.MaintainAsync)]);
    }

    public override string Shape => $"queue:{_plan.Mode}:{_plan.PayloadBytes}";

    public override int InstancesPerOperation => 0;

    public override bool CanBeEndless => true;

    public override HostCounters Counters => EngineFigures.Sum(_queues.Select(queue => queue.Pump.Counters));

    /// <summary>What a reader of the figures must know; null when there is nothing.</summary>
    public string? Warning => _maintenance.Warning;

    /// <summary>Starts processes that read instead of this one, and end with this object. To be called before it is opened.</summary>
    public async Task LetReadAsync(HostSource hosts, CancellationToken cancellationToken) =>
        HostProcesses = await hosts.OpenAsync(new([.. _queues.Select(queue => queue.Store)], IsReport), cancellationToken);

    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        foreach (var (store, backend, pump) in _queues)
        {
            await backend.InitializeAsync(cancellationToken);
            if (!_plan.TuneVacuum)
            {
                await (
                    store is IVacuumTuning tuning
                        ? tuning.UseServerVacuumAsync(cancellationToken)
                        : throw new NotSupportedException($"The queue of '{backend.Name}' has no vacuum to tune; leave the option out.")
                );
            }

            if (HostProcesses is null)
                pump.Start();
        }

        if (HostProcesses is { } hosts)
            await hosts.StartAsync(cancellationToken);
        if (_plan.TuneVacuum)
            _maintaining = _maintenance.RunAsync(_stop.Token);
    }

    public override OperationSet CreateOperations(int count, bool warmUp)
    {
        var writes = new QueueWrites(count, _plan, [.. _queues.Select(queue => queue.Pump.Sender).Chunk(_plan.Copies)]);
        Volatile.Write(ref _current, writes);
        return writes;
    }

    /// <summary>The number of messages in all queues, and of those that the database has put aside.</summary>
    public async Task<(long Messages, long Dead)> CountAsync(CancellationToken cancellationToken)
    {
        var count = (Messages: 0L, Dead: 0L);
        foreach (var (_, backend, _) in _queues)
        {
            var census = await backend.TakeCensusAsync(cancellationToken);
            count = (count.Messages + census.Messages, count.Dead + census.DeadMessages);
        }

        return count;
    }

    public override async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _maintaining;
        if (HostProcesses is not null)
            await HostProcesses.DisposeAsync();
        foreach (var (_, backend, pump) in _queues)
        {
            await pump.DisposeAsync();
            if (backend != Backend)
                await backend.DisposeAsync();
        }

        _stop.Dispose();
        await base.DisposeAsync();
    }

    private bool IsReport(string line)
    {
        if (QueueRead.Parse(line, _plan.Copies) is not { } read)
            return false;
        Take(read);
        return true;
    }

    private void Take(QueueRead read) => Volatile.Read(ref _current)?.Ledger.Read(read);

    /// <summary>The number of readers of a queue; the first queues get one more where the readers cannot be spread evenly.</summary>
    internal static int ReadersOf(int queue, int readers, int queues) =>
        Math.Max(1, (readers / queues) + (queue < readers % queues ? 1 : 0));
}

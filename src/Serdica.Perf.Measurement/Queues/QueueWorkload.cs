using Serdica.Perf.Measurement.Load;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Queues;

/// <summary>
/// The bare queues of a test: one store for each queue and each copy of its messages, with a pump of readers on it. Writers
/// that write at once share their commit, and a reader claims what is there in one statement and removes it in one commit.
/// </summary>
internal sealed class QueueWorkload : Workload
{
    private readonly QueuePlan _plan;
    private readonly List<(IScenarioStore Store, IWorkflowBackend Backend, MessagePump Pump)> _queues = [];
    private readonly CancellationTokenSource _stop = new();
    private Task _maintenance = Task.CompletedTask;
    private QueueWrites? _current;

    /// <param name="stores">One for each queue and copy, the copies of a queue beside each other.</param>
    /// <param name="plan">What is to be done.</param>
    public QueueWorkload(IReadOnlyList<IScenarioStore> stores, QueuePlan plan)
        : base(stores[0], Math.Max(1, plan.Readers / stores.Count))
    {
        _plan = plan;
        for (var index = 0; index < stores.Count; index++)
        {
            var copy = index % plan.Copies;
            var backend = index == 0 ? Backend : stores[index].Connect();
            _queues.Add((stores[index], backend, new MessagePump(backend, handled => Volatile.Read(ref _current)?.Ledger.Read(copy, handled), Options)));
        }
    }

    /// <inheritdoc/>
    public override string Shape => $"queue:{_plan.Mode}:{_plan.PayloadBytes}";

    /// <inheritdoc/>
    public override int InstancesPerOperation => 0;

    /// <inheritdoc/>
    public override HostCounters Counters => _queues[0].Pump.Counters;

    /// <inheritdoc/>
    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        foreach (var (store, backend, pump) in _queues)
        {
            await backend.InitializeAsync(cancellationToken).ConfigureAwait(false);
            if (!_plan.TuneVacuum)
            {
                await (store is IVacuumTuning tuning
                    ? tuning.UseServerVacuumAsync(cancellationToken)
                    : throw new NotSupportedException($"The queue of '{backend.Name}' has no vacuum to tune; leave the option out.")).ConfigureAwait(false);
            }

            pump.Start();
        }

        if (_plan.TuneVacuum)
            _maintenance = MaintainAsync(_stop.Token);
    }

    /// <inheritdoc/>
    public override OperationSet CreateOperations(int count, bool warmUp)
    {
        var writes = new QueueWrites(count, _plan, [.. _queues.Select(queue => queue.Pump.Sender).Chunk(_plan.Copies)]);
        Volatile.Write(ref _current, writes);
        return writes;
    }

    /// <summary>Messages in all queues.</summary>
    public async Task<long> CountAsync(CancellationToken cancellationToken)
    {
        long count = 0;
        foreach (var (_, backend, _) in _queues)
            count += (await backend.TakeCensusAsync(cancellationToken).ConfigureAwait(false)).Messages;
        return count;
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _maintenance.ConfigureAwait(false);
        foreach (var (_, backend, pump) in _queues)
        {
            await pump.DisposeAsync().ConfigureAwait(false);
            if (backend != Backend)
                await backend.DisposeAsync().ConfigureAwait(false);
        }

        _stop.Dispose();
        await base.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Once a second, as a host of workflows does.</summary>
    private async Task MaintainAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var clock = new PeriodicTimer(TimeSpan.FromSeconds(1));
            while (await clock.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
            {
                foreach (var (_, backend, _) in _queues)
                    await backend.MaintainAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The end.
        }
        catch (WorkflowBackendException)
        {
            // Housekeeping only; what it costs to go without is measured.
        }
    }
}

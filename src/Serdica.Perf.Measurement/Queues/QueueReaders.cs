namespace Serdica.Perf.Measurement.Queues;

/// <summary>The readers of one queue, or of one copy of its messages, in a process that only reads.</summary>
/// <param name="handled">See <see cref="MessagePump"/>.</param>
internal sealed class QueueReaders(IScenarioStore store, WorkflowOptions options, Action<HandledMessages> handled) : IHostedWork
{
    private readonly IWorkflowBackend _backend = store.Connect();
    private MessagePump? _pump;

    public HostCounters Counters => _pump?.Counters ?? new();

    /// <summary>The share of one of several processes in the readers of a test.</summary>
    /// <param name="stores">One for each queue and copy; the copies of a queue are neighbours.</param>
    /// <param name="host">The number of the process, from 1.</param>
    /// <param name="report">Gets what each commit has read.</param>
    public static IReadOnlyList<QueueReaders> Of(
        IReadOnlyList<IScenarioStore> stores,
        QueuePlan plan,
        IReadOnlyDictionary<string, string> engine,
        int host,
        int hosts,
        Action<QueueRead> report
    ) =>
        [
            .. stores.Select(
                (store, queue) =>
                    new QueueReaders(
                        store,
                        EngineSettings.Options(ReadersOf(host, hosts, queue, stores.Count, plan.Readers), engine) with
                        {
                            Linger = plan.Linger,
                        },
                        handled => report(QueueRead.Of(queue % plan.Copies, handled, plan.PayloadBytes))
                    )
            ),
        ];

    public async Task OpenAsync(ILoggerFactory loggers, CancellationToken cancellationToken)
    {
        await _backend.InitializeAsync(cancellationToken);
        _pump = new MessagePump(_backend, handled, options, loggers.CreateLogger<MessagePump>());
        _pump.Start();
    }

    public async ValueTask DisposeAsync()
    {
        if (_pump is not null)
            await _pump.DisposeAsync();
        await _backend.DisposeAsync();
    }

    /// <summary>The number of readers that a process has on a queue; each queue gives what cannot be spread evenly to another.</summary>
    internal static int ReadersOf(int host, int hosts, int queue, int queues, int readers) =>
        QueueWorkload.ReadersOf((host - 1 + queue) % hosts, QueueWorkload.ReadersOf(queue, readers, queues), hosts);
}

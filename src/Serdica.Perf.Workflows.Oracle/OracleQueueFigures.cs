namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// What AQ itself counts of each queue of a store, by names such as <c>enqueued.signal</c>. From <c>V$PERSISTENT_QUEUES</c>, which
/// needs no licence of its own (Oracle Database Reference).
/// </summary>
internal static class OracleQueueFigures
{
    /// <summary>In the order of the columns, behind the name of the queue.</summary>
    private static readonly OracleFigure[] Columns =
    [
        new("enqueued_msgs", "enqueued"),
        new("dequeued_msgs", "dequeued"),
        new("elapsed_enqueue_time", "enqueueTime", "ms", OracleFigure.HundredthsToMilliseconds),
        new("elapsed_dequeue_time", "dequeueTime", "ms", OracleFigure.HundredthsToMilliseconds),
        new("enqueue_cpu_time", "enqueueCpu", "ms", OracleFigure.HundredthsToMilliseconds),
        new("dequeue_cpu_time", "dequeueCpu", "ms", OracleFigure.HundredthsToMilliseconds),
    ];

    private static readonly string[] Queues = ["signal", "message", "later", "exception"];

    public static async Task AddAsync(OracleSession session, Dictionary<string, Statistic> values, CancellationToken cancellationToken)
    {
        var (rows, missing) = await OracleStatistics
            .TryQueryAsync(
                session,
                "statistics-queues",
                static reader =>
                    (
                        Queue: reader.GetString(0),
                        Values: Enumerable.Range(1, Columns.Length).Select(column => OracleStatistics.Number(reader, column)).ToArray()
                    ),
                cancellationToken
            )
            .ConfigureAwait(false);
        foreach (var queue in Queues)
        {
            // The server makes the row with the first message: without one nothing has happened.
            var found = rows?.Find(row => row.Queue == queue).Values;
            for (var i = 0; i < Columns.Length; i++)
            {
                double? value = rows is null ? null : (found?[i] ?? 0) * Columns[i].Factor;
                values[$"{Columns[i].Name}.{queue}"] = new Statistic(value, Columns[i].Unit, missing);
            }
        }
    }
}

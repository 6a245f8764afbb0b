namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>
/// Collects the warnings of a workload's engine: the first of each kind, and the number of each. The engine continues and
/// retries, so the reason of a failed scenario must be visible here.
/// </summary>
internal sealed class EngineTroubles : ILogger<WorkflowHost>, ILogger<MessagePump>
{
    private static readonly int[] OfDatabase =
    [
        WorkflowEvents.WorkerFailed,
        WorkflowEvents.ReportLost,
        WorkflowEvents.ExtensionFailed,
        WorkflowEvents.MaintenanceFailed,
        WorkflowEvents.ListenerFailed,
        WorkflowEvents.StartDelayed,
        WorkflowEvents.ReportDelayed,
        WorkflowEvents.LeaseExpired,
        WorkflowEvents.ReleaseFailed,
        WorkflowEvents.DirectFailed,
    ];

    private readonly ConcurrentDictionary<int, Kind> _kinds = new();

    /// <returns>One sentence for each kind of warning, in the order of the engine's event ids.</returns>
    public IReadOnlyList<string> Sentences() => Sentences(_ => true);

    /// <returns>The warnings about the database, which no scenario causes on purpose.</returns>
    public IReadOnlyList<string> SentencesOfDatabase() => Sentences(OfDatabase.Contains);

    /// <summary>For a window that must not contain earlier warnings.</summary>
    public void Clear() => _kinds.Clear();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    )
    {
        if (!IsEnabled(logLevel))
            return;
        var kind = _kinds.GetOrAdd(eventId.Id, _ => new(Describe(formatter(state, exception), exception)));
        kind.Count();
    }

    private string[] Sentences(Func<int, bool> isWanted) =>
        [.. _kinds.Where(entry => isWanted(entry.Key)).OrderBy(entry => entry.Key).Select(entry => entry.Value.Sentence)];

    private static string Describe(string message, Exception? exception) =>
        SecretScrubber.Scrub(exception is null ? message : $"{message} ({exception.GetType().Name}: {exception.Message})");

    private sealed class Kind(string first)
    {
        private int _count;

        public string Sentence =>
            _count == 1 ? $"The engine warned: {first}" : $"The engine warned {_count} times of the same kind, first: {first}";

        public void Count() => Interlocked.Increment(ref _count);
    }
}

using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Compliance;

/// <summary>What a host or a backend logs, as lines.</summary>
internal class LogList : ILogger<WorkflowHost>
{
    private readonly ConcurrentQueue<string> _lines = new();

    public IReadOnlyCollection<string> Lines => _lines;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    ) => _lines.Enqueue(formatter(state, exception));
}

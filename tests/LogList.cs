using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Tests;

/// <summary>Keeps what is logged, as lines.</summary>
internal class LogList<T> : ILogger<T>
{
    private readonly ConcurrentQueue<string> _lines = new();

    /// <summary>As where the disk is full.</summary>
    public bool Fails { get; init; }

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
    )
    {
        if (Fails)
            throw new IOException("No space is left.");
        _lines.Enqueue(formatter(state, exception));
        Logged(eventId, name => ((IEnumerable<KeyValuePair<string, object?>>)state!).Single(value => value.Key == name).Value!);
    }

    /// <param name="valueOf">Finds a value of the message by its name.</param>
    protected virtual void Logged(EventId id, Func<string, object> valueOf) { }
}

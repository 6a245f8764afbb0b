using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>Counts the reports of a host that wait for their next try, by what the engine logs about them.</summary>
internal sealed class PausedReports(TimeProvider clock) : ILogger
{
    private readonly ConcurrentBag<DateTimeOffset> _ends = [];

    public int Count => _ends.Count(end => end > clock.GetUtcNow());

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
        if (eventId.Id != WorkflowEvents.ReportDelayed || state is not IReadOnlyList<KeyValuePair<string, object?>> values)
            return;
        _ends.Add(clock.GetUtcNow() + FromMilliseconds((double)values.Single(value => value.Key == "DelayMs").Value!));
    }
}

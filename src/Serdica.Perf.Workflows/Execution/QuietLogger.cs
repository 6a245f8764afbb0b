namespace Serdica.Perf.Workflows;

/// <summary>
/// Ignores errors of the user's logger, for instance of a full disk. The engine logs while it deals with errors of its own, and another
/// one would end a worker, or the extension of leases.
/// </summary>
internal sealed class QuietLogger(ILogger inner) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel)
    {
        try
        {
            return inner.IsEnabled(logLevel);
        }
        catch (Exception)
        {
            // There is no other place to report it.
            return false;
        }
    }

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter
    )
    {
        try
        {
            inner.Log(logLevel, eventId, state, exception, formatter);
        }
        catch (Exception)
        {
            // As above.
        }
    }
}

namespace Serdica.Perf.Workflows;

/// <summary>
/// Loses what the user's logger cannot write, for instance to a full disk. The engine logs while it deals with errors: an error of the
/// logger would end a worker, or what keeps the leases.
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

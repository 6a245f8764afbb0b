namespace Serdica.Perf.Cli.Commands;

/// <summary>A run folder with its log. Whatever ends a measurement early is reported there, and no result is lost.</summary>
internal sealed class MeasuringSession : IDisposable
{
    private MeasuringSession(SuiteRun suite, RunLog log) => (Suite, Log) = (suite, log);

    public SuiteRun Suite { get; }

    public RunLog Log { get; }

    public static async Task<MeasuringSession> BeginAsync(
        SuiteOptions options,
        IRunObserver observer,
        TextWriter console,
        TextWriter error,
        LogLevel level,
        CancellationToken cancellationToken
    )
    {
        var suite = await SuiteRun.BeginAsync(options, observer, cancellationToken);
        var log = RunLog.Create(suite.Folder, console, error, level);
        log.RunStarted(options.Command);
        return new(suite, log);
    }

    /// <summary>Runs a measurement to its end, or until it fails or the user stops it; either makes the run an aborted one.</summary>
    /// <exception cref="IOException">The folder can't be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder must not be written.</exception>
    public async Task MeasureAsync(Func<CancellationToken, Task> measure, CancellationToken cancellationToken)
    {
        try
        {
            await measure(cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // Reported below, also when the measurement ended in order after the signal.
        }
        catch (Exception e) when (e is DatabaseStartException or WorkflowBackendException or LoadProfileException or NotSupportedException)
        {
            // A server that was found and does not work is a fault, not something to ignore.
            Suite.Abort(e.Message);
        }
        catch (Exception e) when (e is not (IOException or UnauthorizedAccessException))
        {
            // Nobody foresaw it: what was measured before is kept all the same, and the log has the rest.
            Log.RunBroken(e);
            Suite.Abort($"{e.GetType().Name}: {e.Message} {RunLog.FileName} has the details.");
        }

        if (cancellationToken.IsCancellationRequested)
            Suite.Abort("Stopped by the user.");
    }

    /// <summary>Closes the log.</summary>
    public void Dispose() => Log.Dispose();
}

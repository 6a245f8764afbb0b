namespace Serdica.Perf.Workflows;

/// <summary>What every backend does around what it does: lets no error of its driver through the seam.</summary>
/// <param name="isDriverError">Whether an error is the driver's; any other goes on as it is.</param>
/// <param name="wrap">Makes the seam's error of what was tried, in words, and the driver's.</param>
public sealed class DriverErrors(Func<Exception, bool> isDriverError, Func<string, Exception, WorkflowBackendException> wrap)
{
    /// <summary>
    /// The message of an error with that of its innermost cause: drivers say "Exception while reading from stream" of a
    /// timeout, a reset and a refusal alike.
    /// </summary>
    public static string TextOf(Exception error)
    {
        ArgumentNullException.ThrowIfNull(error);
        var text = error.Message.Trim();
        var cause = error.GetBaseException().Message.Trim();
        return text.Contains(cause, Ordinal) ? text : $"{text.TrimEnd('.')}: {cause}";
    }

    /// <summary>Runs an operation of the backend.</summary>
    /// <param name="operation">Completes the sentence "... could not".</param>
    /// <param name="run">What may fail.</param>
    /// <exception cref="WorkflowBackendException">The driver failed.</exception>
    public async Task<T> WrapAsync<T>(string operation, Func<Task<T>> run)
    {
        ArgumentNullException.ThrowIfNull(run);
        try
        {
            return await run().ConfigureAwait(false);
        }
        catch (Exception e) when (isDriverError(e))
        {
            throw wrap(operation, e);
        }
    }

    /// <inheritdoc cref="WrapAsync{T}"/>
    public async Task WrapAsync(string operation, Func<Task> run)
    {
        ArgumentNullException.ThrowIfNull(run);
        try
        {
            await run().ConfigureAwait(false);
        }
        catch (Exception e) when (isDriverError(e))
        {
            throw wrap(operation, e);
        }
    }
}

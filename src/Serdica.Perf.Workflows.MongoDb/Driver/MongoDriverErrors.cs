using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Turns the driver's errors into those of the port.</summary>
internal static class MongoDriverErrors
{
    public static async Task<T> Try<T>(IReadOnlyList<DocumentCommand> commands, Func<Task<T>> run)
    {
        try
        {
            return await run().ConfigureAwait(false);
        }
        catch (Exception e) when (e is MongoException or TimeoutException)
        {
            throw Wrap(e);
        }
        finally
        {
            foreach (var command in commands)
                command.Dispose();
        }
    }

    /// <summary>To a plain command that meets an election the server gives no label.</summary>
    private static bool IsTransient(MongoCommandException error) =>
        error is MongoNotPrimaryException or MongoNodeIsRecoveringException
        || error.HasErrorLabel("TransientTransactionError") || error.HasErrorLabel("RetryableWriteError");

    private static DocumentCommandException Wrap(Exception error) => error switch
    {
        MongoCommandException command => new(
            command.Code,
            $"{command.CodeName ?? command.Code.ToString(System.Globalization.CultureInfo.InvariantCulture)}: {command.ErrorMessage}",
            IsTransient(command),
            error),
        MongoAuthenticationException or MongoConfigurationException => new(0, DriverErrors.TextOf(error), isTransient: false, error),
        _ => new(0, DriverErrors.TextOf(error), isTransient: true, error),
    };
}

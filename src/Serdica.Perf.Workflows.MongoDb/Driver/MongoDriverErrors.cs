using System.Text.Json;
using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Turns the driver's errors into those of the port.</summary>
/// <param name="answerLimit">How long the driver waits for one answer of the server.</param>
internal sealed class MongoDriverErrors(TimeSpan answerLimit)
{
    public async Task<T> Try<T>(IReadOnlyList<DocumentCommand> commands, Func<Task<T>> run)
    {
        try
        {
            return await run().ConfigureAwait(false);
        }
        catch (Exception e) when (e is MongoException or TimeoutException)
        {
            throw Wrap(e, commands);
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

    private DocumentCommandException Wrap(Exception error, IReadOnlyList<DocumentCommand> commands) => error switch
    {
        MongoConnectionException { InnerException: TimeoutException } when commands.Count > 0 => new(
            DocumentErrors.NetworkTimeout, NoAnswer(commands, error), isTransient: true, error),
        MongoCommandException command => new(
            command.Code,
            $"{command.CodeName ?? command.Code.ToString(System.Globalization.CultureInfo.InvariantCulture)}: {command.ErrorMessage}",
            IsTransient(command),
            error),
        MongoAuthenticationException or MongoConfigurationException => new(0, DriverErrors.TextOf(error), isTransient: false, error),
        _ => new(0, DriverErrors.TextOf(error), isTransient: true, error),
    };

    private string NoAnswer(IReadOnlyList<DocumentCommand> commands, Exception error)
    {
        var asked = commands
            .Select(static command => (Verb: JsonNamingPolicy.CamelCase.ConvertName(command.Operation.ToString()), command.Collection))
            .Distinct()
            .Select(static asked => asked.Collection.Length == 0 ? $"'{asked.Verb}'" : $"'{asked.Verb}' of '{asked.Collection}'");
        return $"{string.Join(" or ", asked)} got no answer within {answerLimit.TotalSeconds:0.###} s (socketTimeoutMS): {DriverErrors.TextOf(error)}";
    }
}

namespace Serdica.Perf.Workflows.MongoDb;

internal sealed class MongoDriverErrors(TimeSpan answerLimit)
{
    public Task Try(Func<string> asked, Func<Task> run) => Try(asked, async () =>
        {
            await run().ConfigureAwait(false);
            return true;
        });

    public async Task<T> Try<T>(Func<string> asked, Func<Task<T>> run)
    {
        try
        {
            return await run().ConfigureAwait(false);
        }
        catch (Exception e) when (e is MongoException or TimeoutException)
        {
            throw Wrap(e, asked(), mayBeWritten: false);
        }
    }

    /// <summary>A repeated question may be answered; one that got no answer in time is not repeated.</summary>
    public static bool IsPassing(MongoException error) =>
        error is MongoConnectionException { InnerException: not TimeoutException } or MongoCursorNotFoundException
        || (error is MongoCommandException command && (DocumentErrors.IsTransient(command.Code) || IsTransient(command)));

    /// <summary>To a plain command that meets an election the server gives no label.</summary>
    private static bool IsTransient(MongoCommandException error) =>
        error is MongoNotPrimaryException or MongoNodeIsRecoveringException
        || error.HasErrorLabel("TransientTransactionError")
        || error.HasErrorLabel("RetryableWriteError");

    /// <param name="mayBeWritten">
    /// A commit had been sent. Its error need not mean that it was undone: a write concern that cannot be satisfied is reported
    /// after the commit, and a connection that is refused when the commit is asked for again says nothing of the first one.
    /// </param>
    public DocumentCommandException Wrap(Exception error, string asked, bool mayBeWritten)
    {
        var (code, message, isTransient) = error switch
        {
            MongoConnectionException { InnerException: TimeoutException } => (DocumentErrors.NetworkTimeout, NoAnswer(asked, error), true),
            MongoWriteConcernException { WriteConcernResult.Response: { } response } concern
                when response.TryGetValue("writeConcernError", out var cause) => Refusal(cause.AsBsonDocument, IsTransient(concern)),
            MongoCommandException command => Refusal(command.Result, IsTransient(command)),
            MongoExecutionTimeoutException timeout => (timeout.Code, DriverErrors.TextOf(error), true),
            MongoWriteException { WriteConcernError: { } concern } => (concern.Code, concern.Message, false),
            _ => (0, FirstLine(error), error is not (MongoAuthenticationException or MongoConfigurationException)),
        };
        return new(code, message, isTransient, error) { MayBeWritten = mayBeWritten };
    }

    public static string Asked(string verb, IEnumerable<string> collections) =>
        string.Join(" or ", collections.Distinct().Select(collection => $"'{verb}' of '{collection}'"));

    private static (int Code, string Message, bool IsTransient) Refusal(BsonDocument reply, bool isTransient)
    {
        var code = reply.GetValue("code", -1).ToInt32();
        return (code, $"{reply.GetValue("codeName", code)}: {reply.GetValue("errmsg", "Unknown error.")}", isTransient);
    }

    /// <summary>A stack of the driver may follow.</summary>
    private static string FirstLine(Exception error) => DriverErrors.TextOf(error).Split('\n')[0].TrimEnd();

    private string NoAnswer(string asked, Exception error) =>
        $"{asked} got no answer within {answerLimit.TotalSeconds:0.###} s (socketTimeoutMS): {DriverErrors.TextOf(error)}";
}

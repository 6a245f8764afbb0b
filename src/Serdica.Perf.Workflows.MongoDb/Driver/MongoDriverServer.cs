namespace Serdica.Perf.Workflows.MongoDb;

internal interface IMongoDbServer : IAsyncDisposable
{
    /// <exception cref="DocumentCommandException">The server refused the command, or could not be reached.</exception>
    Task<BsonDocument> RunAsync(string database, BsonDocument command, CancellationToken cancellationToken);
}

/// <inheritdoc/>
internal sealed class MongoDriverServer : IMongoDbServer
{
    private readonly MongoClient _client;
    private readonly MongoDriverErrors _errors;

    public MongoDriverServer(string connectionString, string application)
    {
        var settings = MongoDriver.SettingsOf(connectionString, application);
        _client = new MongoClient(settings);
        _errors = new MongoDriverErrors(settings.SocketTimeout);
    }

    public Task<BsonDocument> RunAsync(string database, BsonDocument command, CancellationToken cancellationToken) =>
        _errors.Try(
            () => $"'{command.GetElement(0).Name}'",
            () => _client.GetDatabase(database).RunCommandAsync<BsonDocument>(command, ReadPreference.Primary, cancellationToken)
        );

    public ValueTask DisposeAsync()
    {
        _client.Dispose();
        return ValueTask.CompletedTask;
    }
}

using Serdica.Perf.Databases;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>A server with DocumentDB that somebody else runs; one database for each test.</summary>
public sealed class DocumentDbFixture : IBackendFixture
{
    private const string Backend = "documentdb";
    private const string Variable = "SERDICA_PERF_DOCUMENTDB";

    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        CreateSchemaAsync(new MongoDbBackendOptions());

    /// <summary>A database whose backends look for work as the options say.</summary>
    public Task<IBackendSchema> CreateSchemaAsync(MongoDbBackendOptions options)
    {
        var connectionString = Environment.GetEnvironmentVariable(Variable);
        if (string.IsNullOrWhiteSpace(connectionString))
        {
            var reason = $"DocumentDB is not tested: {Variable} holds no connection string.";
            if (DatabaseEnvironment.Current.IsRequired(Backend))
                Assert.Fail(reason);
            Assert.Skip(reason);
        }

        return Task.FromResult<IBackendSchema>(new DocumentDbTestSchema(connectionString, $"compliance_{Guid.NewGuid():n}", options));
    }
}

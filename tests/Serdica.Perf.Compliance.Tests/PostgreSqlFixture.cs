using Microsoft.Extensions.Logging.Abstractions;
using Serdica.Perf.Databases;
using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Compliance;

/// <summary>One server for the assembly, begun when the first test asks for it; one schema for each test.</summary>
public sealed class PostgreSqlFixture : IBackendFixture, IAsyncDisposable
{
    private readonly SemaphoreSlim _gate = new(1);
    private ProvisionOutcome? _outcome;
    private int _schemas;

    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        new PostgreSqlTestSchema(await NewOptionsAsync(cancellationToken));

    /// <summary>Options of a schema that nobody else uses; skips the test when this machine has no server.</summary>
    public async Task<PostgreSqlBackendOptions> NewOptionsAsync(CancellationToken cancellationToken)
    {
        var server = await ServerAsync(cancellationToken);
        return new PostgreSqlBackendOptions
        {
            ConnectionString = server.ConnectionString,
            Schema = $"compliance_{Guid.NewGuid():n}"[..40] + $"_{Interlocked.Increment(ref _schemas)}",
        };
    }

    public async ValueTask DisposeAsync()
    {
        if (_outcome is ProvisionOutcome.Provisioned { Server: var server })
            await server.DisposeAsync();
        _gate.Dispose();
    }

    private async Task<DatabaseServer> ServerAsync(CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken);
        try
        {
            _outcome ??= await ProvisionAsync(cancellationToken);
        }
        finally
        {
            _gate.Release();
        }

        if (_outcome is ProvisionOutcome.Provisioned { Server: var server })
            return server;
        var reason = ((ProvisionOutcome.Unavailable)_outcome).Reason;
        if (DatabaseEnvironment.Current.IsRequired(DatabaseEnvironment.PostgreSql))
            Assert.Fail(reason);
        Assert.Skip(reason);
        throw new InvalidOperationException("A skipped test does not go on.");
    }

    private static async Task<ProvisionOutcome> ProvisionAsync(CancellationToken cancellationToken) =>
        DatabaseEnvironment.Current.TryReadRequest(DatabaseEnvironment.PostgreSql, out var request, out var problem)
            ? await PostgreSqlServers.ProvisionAsync(request, NullLogger.Instance, cancellationToken)
            : new ProvisionOutcome.Unavailable(problem);
}

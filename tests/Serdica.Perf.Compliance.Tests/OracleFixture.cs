using Serdica.Perf.Compliance;
using Serdica.Perf.Databases;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.Oracle;

[assembly: AssemblyFixture(typeof(OracleFixture))]

namespace Serdica.Perf.Compliance;

/// <summary>A real Oracle that SERDICA_PERF_ORACLE names; a prefix of its own for each test.</summary>
public sealed class OracleFixture : IBackendFixture
{
    private int _stores;

    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken)
    {
        if (Missing(out var connectionString) is { } reason)
        {
            if (DatabaseEnvironment.Current.IsRequired("oracle-aq"))
                Assert.Fail(reason);
            Assert.Skip(reason);
        }

        return Task.FromResult<IBackendSchema>(new Store(new OracleBackendOptions
        {
            ConnectionString = connectionString!,
            Prefix = $"SWF{Guid.NewGuid():N}"[..12].ToUpperInvariant() + $"_{Interlocked.Increment(ref _stores)}",
        }));
    }

    private static string? Missing(out string? connectionString)
    {
        connectionString = null;
        if (!DatabaseEnvironment.Current.TryReadRequest(DatabaseEnvironment.Oracle, out var request, out var problem))
            return problem;
        connectionString = request.ConnectionString;
        if (!OracleDriver.TryFind(out _))
            return OracleDriver.Missing;
        return connectionString is null ? OracleDriver.NoServer : null;
    }

    private sealed class Store(OracleBackendOptions options) : IBackendSchema
    {
        public IWorkflowBackend Connect() => new OracleWorkflowBackend(options);

        public async ValueTask DisposeAsync()
        {
            await using var backend = new OracleWorkflowBackend(options);
            await backend.DropSchemaAsync(CancellationToken.None);
        }
    }
}

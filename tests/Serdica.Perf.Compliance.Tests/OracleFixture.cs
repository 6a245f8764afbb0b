[assembly: AssemblyFixture(typeof(OracleFixture))]

namespace Serdica.Perf.Compliance;

/// <summary>A real Oracle that SERDICA_PERF_ORACLE names, or one in a container; a prefix of its own for each test.</summary>
public sealed class OracleFixture()
    : ServerFixture(DatabaseEnvironment.Oracle, required: "oracle-aq"),
        IBackendFixture
{
    private int _stores;

    /// <summary>Stores that are used with a transaction for each signal and message.</summary>
    internal IBackendFixture OneByOne => new OneByOneStores(this);

    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) => CreateSchemaAsync(false, cancellationToken);

    private async Task<IBackendSchema> CreateSchemaAsync(bool isOneByOne, CancellationToken cancellationToken)
    {
        if (!OracleDriver.TryFind(out _))
            SkipOrFail(OracleDriver.Missing);

        var isNamed = DatabaseEnvironment.Current.TryReadRequest(DatabaseEnvironment.Oracle, out var request, out _);
        var named = isNamed ? request!.ConnectionString : null;
        return new Store(
            new OracleBackendOptions
            {
                ConnectionString = named ?? (await ServerAsync(cancellationToken)).ConnectionString,
                Prefix = $"SWF{Guid.NewGuid():N}"[..12].ToUpperInvariant() + $"_{Interlocked.Increment(ref _stores)}",
                OneByOne = isOneByOne,
            }
        );
    }

    private sealed class OneByOneStores(OracleFixture server) : IBackendFixture
    {
        public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
            server.CreateSchemaAsync(isOneByOne: true, cancellationToken);
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

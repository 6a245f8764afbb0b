using Serdica.Perf.Faults.Hosts;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>The Oracle backend with its package on IvorySQL, for plans of the fault tier. Its hosts open it by this type too.</summary>
internal sealed class StandInUnderFaults : FaultedStore
{
    /// <summary>Where the server listens for Oracle's language; a host gets the place of its proxy.</summary>
    public Func<string, string> Place { get; init; } = place => place;

    /// <inheritdoc cref="StandInFixture.Change"/>
    public Func<string, string, string>? Change { get; init; }

    public override string ConnectionString(DatabaseServer server) => Place(server.ConnectionString);

    public override (IWorkflowBackend? Backend, string? Reason) Open(string backend, string name, DatabaseEnvironment environment)
    {
        var source = IvorySqlFixture.Open(environment.ReadApplication(backend)!);
        return (new WithPool(new StandInStore(source, name.ToUpperInvariant(), Change).Connect(), source), null);
    }

    /// <summary>Oracle's driver has its pools for itself; this one belongs to who has opened it.</summary>
    private sealed class WithPool(IWorkflowBackend inner, NpgsqlDataSource source) : BackendDecorator(inner)
    {
        public override async ValueTask DisposeAsync()
        {
            await Inner.DisposeAsync();
            await source.DisposeAsync();
        }
    }
}

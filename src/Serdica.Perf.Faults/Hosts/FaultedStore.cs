namespace Serdica.Perf.Faults.Hosts;

/// <summary>
/// How the processes of a run open the store that is put under faults: as an application does. Each host makes an object of the same
/// type, so that tests can have the same plans for a backend of their own.
/// </summary>
internal class FaultedStore
{
    /// <summary>The place where the driver finds the server. The proxies stand before it.</summary>
    public virtual string ConnectionString(DatabaseServer server) => server.ConnectionString;

    /// <inheritdoc cref="ApplicationStore.Open"/>
    public virtual (IWorkflowBackend? Backend, string? Reason) Open(string backend, string name, DatabaseEnvironment environment) =>
        ApplicationStore.Open(backend, name, environment);
}

namespace Serdica.Perf.Backends;

/// <summary>A <see cref="NamedServer"/> as it is measured, through the driver of its product.</summary>
/// <param name="server">Stopped with this object, when the suite has started it.</param>
/// <param name="createStoreAsync">Makes a store that no other scenario uses, for the run with this id.</param>
internal sealed class NamedMeasuredBackend(
    NamedServer server,
    DatabaseDescription description,
    Func<string, Task<IScenarioStore>> createStoreAsync
) : IMeasuredBackend
{
    public DatabaseDescription Description { get; } = server.Describe(description);

    public string? DataFolder => null;

    /// <summary>
    /// Connects to the server that a variable names, or starts one in a container; without a server, or with one that cannot
    /// be used, gives the reason in one sentence.
    /// </summary>
    public static async Task<BackendProvision> ProvideAsync(
        ServerSearch search,
        DatabaseRequest request,
        ILogger logger,
        Func<NamedServer, CancellationToken, Task<BackendProvision>> connectAsync,
        CancellationToken cancellationToken
    )
    {
        var (server, reason) = await NamedServer.FindAsync(search, request, logger, cancellationToken);
        if (server is null)
            return new BackendProvision.Unavailable(reason!);

        BackendProvision? provision = null;
        try
        {
            return provision = await connectAsync(server, cancellationToken);
        }
        catch (Exception e) when (e is ArgumentException or WorkflowBackendException)
        {
            return new BackendProvision.Unavailable(e.Message + search.Advice);
        }
        finally
        {
            if (provision is not BackendProvision.Provided)
                await server.DisposeAsync();
        }
    }

    public Task<ServerUsage?> ReadUsageAsync(CancellationToken cancellationToken) => server.ReadUsageAsync(cancellationToken);

    public Task<FsyncProbeResult?> ProbeFsyncAsync(CancellationToken cancellationToken) => server.ProbeFsyncAsync(cancellationToken);

    public Task<IScenarioStore> CreateStoreAsync(string run) => createStoreAsync(run);

    public ValueTask DisposeAsync() => server.DisposeAsync();
}

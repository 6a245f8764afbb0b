namespace Serdica.Perf.Databases.Containers.Modules;

/// <summary>One node of Citus in its own image.</summary>
internal sealed class CitusModule(PostgreSqlFlavour flavour) : PostgreSqlModule(flavour)
{
    public override string Image => ContainerImages.Citus;

    public override string? Password => Flavour.Password;

    protected override string FirstStatement => Flavour.FirstStatement;

    // The nodes log in to each other by it, and the entry point of the image leaves it.
    public override IReadOnlyDictionary<string, string> Variables(string password) =>
        new Dictionary<string, string>(base.Variables(password)) { ["PGPASSWORD"] = password };

    public override async Task<(ServerDescription? Description, string? NotYet)> AskAsync(
        IDatabaseContainer container,
        string connectionString,
        string? fileSystem,
        CancellationToken cancellationToken
    )
    {
        if (await IsInReachAsync(container, cancellationToken))
            return await base.AskAsync(container, connectionString, fileSystem, cancellationToken);
        if ((await container.InspectAsync(cancellationToken)).IsRunning)
            throw new OutOfReachException();
        return (null, "it has ended");
    }

    /// <summary>A machine in reach answers at once, if only that nobody listens yet.</summary>
    private static async Task<bool> IsInReachAsync(IDatabaseContainer container, CancellationToken cancellationToken)
    {
        if (!IPAddress.TryParse(container.Host, out var address))
            return false;
        using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(FromSeconds(10));
        try
        {
            await socket.ConnectAsync(address, container.Port, limit.Token);
            return true;
        }
        catch (Exception e) when (!cancellationToken.IsCancellationRequested)
        {
            return e is SocketException { SocketErrorCode: SocketError.ConnectionRefused };
        }
    }
}

namespace Serdica.Perf.Backends;

/// <summary>A server that somebody else runs and a variable names, or one in a container of the suite's.</summary>
/// <param name="ConnectionString">As the product's driver takes it.</param>
/// <param name="Container">Null for somebody else's.</param>
internal sealed record NamedServer(string ConnectionString, DatabaseServer? Container) : IAsyncDisposable
{
    /// <summary>As results name it.</summary>
    public string Source => (Container?.Description.Source ?? DatabaseSourceKind.External).ToString().ToLowerInvariant();

    /// <returns>The server, or why there is none.</returns>
    public static async Task<(NamedServer? Server, string? Reason)> FindAsync(
        ServerSearch search,
        DatabaseRequest request,
        ILogger logger,
        CancellationToken cancellationToken
    )
    {
        if (request.Source is DatabaseSourceKind.Local)
            return (
                null,
                $"{search.Product} does not come from 'local' in this build: set {DatabaseEnvironment.SourceVariable(search.Variable)} "
                    + $"to external or containers."
            );
        if (request.Source is not DatabaseSourceKind.Containers && request.ConnectionString is { } connectionString)
        {
            return request.AcceptsForeignData
                ? (new(connectionString, null), null)
                : (
                    null,
                    $"The suite cannot check a {search.Product} server for other data, and a measurement would put load on the one in "
                        + $"{DatabaseEnvironment.ConnectionStringVariable(search.Variable)}: "
                        + $"set {DatabaseEnvironment.ForeignDataVariable(search.Variable)}={DatabaseEnvironment.ForeignDataAccepted} "
                        + "if it may be measured."
                );
        }

        if (request.Source is DatabaseSourceKind.External)
            return (null, search.NoServer);

        return await search.StartAsync(request, logger, cancellationToken) switch
        {
            ProvisionOutcome.Provisioned { Server: var container } => (new(container.ConnectionString, container), null),
            ProvisionOutcome.Unavailable { Reason: var reason } => (null, request.Source is null ? $"{search.NoServer} {reason}" : reason),
            var other => throw new InvalidOperationException($"Unknown outcome {other}."),
        };
    }

    /// <summary>What the server says of itself, and what is known of its container.</summary>
    public DatabaseDescription Describe(DatabaseDescription server) =>
        server with
        {
            IsElsewhere = Container is null,
            Image = Container?.Description.Container?.Image,
            Connection = ConnectionString,
            DataFileSystem = Container?.Description.FileSystem,
            Settings = server
                .Settings.Concat(ContainerSettings.Of(Container?.Description.Container))
                .ToDictionary(setting => setting.Key, setting => setting.Value),
        };

    public async Task<ServerUsage?> ReadUsageAsync(CancellationToken cancellationToken) =>
        Container is null ? null : await ServerFigures.ReadUsageAsync(Container, cancellationToken);

    public async Task<FsyncProbeResult?> ProbeFsyncAsync(CancellationToken cancellationToken) =>
        Container is null ? null : await ServerFigures.ProbeFsyncAsync(Container, cancellationToken);

    /// <summary>Without the connection string, which may hold a password: texts end in logs.</summary>
    private bool PrintMembers(StringBuilder builder) => builder.Append(Invariant($"Source = {Source}")).Length > 0;

    public ValueTask DisposeAsync() => Container?.DisposeAsync() ?? ValueTask.CompletedTask;
}

/// <summary>How a <see cref="NamedServer"/> of one product is found.</summary>
/// <param name="Variable">As environment variables call it.</param>
/// <param name="NoServer">The sentence for a server that was not named.</param>
internal sealed record ServerSearch(
    string Product,
    string Variable,
    string NoServer,
    Func<DatabaseRequest, ILogger, CancellationToken, Task<ProvisionOutcome>> StartAsync
)
{
    /// <summary>A sentence, with a blank before it, that follows the reason why a server cannot be used.</summary>
    public string Advice { get; init; } = "";
}

namespace Serdica.Perf.Databases.Local;

/// <summary>A throw-away server. It goes with this object, with this process, or with whatever kills this process.</summary>
internal sealed class LocalPostgreSqlServer : DatabaseServer
{
    private readonly Watchdog? _watchdog;
    private int _removed;

    private LocalPostgreSqlServer(LocalCluster cluster, Watchdog? watchdog, string connectionString, ServerDescription description)
    {
        Cluster = cluster;
        _watchdog = watchdog;
        ConnectionString = connectionString;
        Description = description;
        AppDomain.CurrentDomain.ProcessExit += OnProcessExit;
    }

    /// <summary>Returns the cluster to copy for a new server; null to run initdb. Set by tests, which start many servers.</summary>
    public static Func<PostgreSqlFlavour, PostgreSqlBinaries, ServerUser?, Task<LocalCluster>>? Made { get; set; }

    public override string ConnectionString { get; }

    public override ServerDescription Description { get; }

    public LocalCluster Cluster { get; }

    public override int? ProcessId => Cluster.Folder.ServerProcessId;

    public override string DataFolder => Cluster.Folder.DataFolder;

    public static async Task<LocalPostgreSqlServer> StartAsync(
        PostgreSqlFlavour flavour,
        PostgreSqlBinaries binaries,
        ServerUser? user,
        TemporaryBase temporaryBase,
        IReadOnlyDictionary<string, string> settings,
        IReadOnlyList<string> binding,
        ILogger logger,
        CancellationToken cancellationToken
    )
    {
        var started = TimeProvider.System.GetTimestamp();
        Log.StartingLocal(logger, flavour.NameOf(binaries), binaries.Folder);
        var folder = ClusterFolder.Create(temporaryBase.Folder);
        var cluster = new LocalCluster(flavour, folder, binaries, user, logger);
        Watchdog? watchdog = null;

        try
        {
            watchdog = await Watchdog.StartAsync(folder, user, cancellationToken);
            var made = Made is null ? null : await Made(flavour, binaries, user);
            await cluster.InitializeAsync(settings, made, cancellationToken);
            var connection = await cluster.StartAsync(binding, cancellationToken);
            var description = await PostgreSqlPreparation.PrepareAsync(
                flavour,
                connection.ConnectionString,
                $"The local {flavour.Product} server",
                DatabaseSourceKind.Local,
                temporaryBase.FileSystem,
                cancellationToken
            );

            Log.StartedLocal(
                logger,
                description.Product,
                description.Version,
                binaries.Folder,
                connection.Port,
                folder.Path,
                temporaryBase.FileSystem ?? "unknown file system",
                TimeProvider.System.GetElapsedTime(started).TotalMilliseconds
            );
            return new LocalPostgreSqlServer(
                cluster,
                watchdog,
                connection.ConnectionString,
                binding.Count > 0 && cluster.Folder.ServerProcessId is { } server
                    ? description with
                    {
                        BoundProcessors = ProcessorBinding.CountOf(server),
                    }
                    : description
            );
        }
        catch
        {
            try
            {
                cluster.Remove();
            }
            finally
            {
                watchdog?.Dispose();
            }

            throw;
        }
    }

    public override async ValueTask DisposeAsync()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnProcessExit;
        await Task.Run(Remove);
    }

    private void OnProcessExit(object? sender, EventArgs e) => Remove();

    private void Remove()
    {
        if (Interlocked.Exchange(ref _removed, 1) != 0)
            return;

        try
        {
            Cluster.Remove();
        }
        finally
        {
            // What could not be removed here the watchdog tries again.
            _watchdog?.Dispose();
        }
    }
}

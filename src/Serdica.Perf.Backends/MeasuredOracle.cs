using System.Data.Common;

namespace Serdica.Perf.Backends;

/// <summary>Oracle with Advanced Queuing as a <see cref="NamedMeasuredBackend"/>.</summary>
internal static class MeasuredOracle
{
    private static readonly ServerSearch Search = new(
        "Oracle",
        DatabaseEnvironment.Oracle,
        OracleDriver.NoServer,
        DatabaseSources.Of(DatabaseEnvironment.Oracle).ProvisionAsync
    )
    {
        Advice = $" 'serdica-perf doctor --backend {BackendNames.OracleAq}' reports details.",
    };

    private const string Reference =
        "as in the Oracle AQ reference: a transaction for each start, signal and message, and receivers of messages wait in a dequeue";

    /// <inheritdoc cref="NamedServer.FindAsync"/>
    public static Task<(NamedServer? Server, string? Reason)> FindAsync(
        DatabaseRequest request,
        ILogger logger,
        CancellationToken cancellationToken
    ) => NamedServer.FindAsync(Search, request, logger, cancellationToken);

    /// <inheritdoc cref="NamedMeasuredBackend.ProvideAsync"/>
    public static async Task<BackendProvision> ProvideAsync(
        string backend,
        DatabaseRequest request,
        ILogger logger,
        CancellationToken cancellationToken
    ) =>
        OracleDriver.TryFind(out var factory)
            ? await NamedMeasuredBackend.ProvideAsync(
                Search,
                request,
                logger,
                (server, token) => ConnectAsync(server, Options(backend, server.ConnectionString, factory), logger, token),
                cancellationToken
            )
            : new BackendProvision.Unavailable(OracleDriver.Missing);

    /// <summary>How one of the backends on Oracle uses a server.</summary>
    public static OracleBackendOptions Options(string backend, string connectionString, DbProviderFactory factory) =>
        new()
        {
            ConnectionString = connectionString,
            Factory = factory,
            OneByOne = backend == BackendNames.OracleAqReference,
        };

    /// <summary>The backend that uses a server so.</summary>
    public static string NameOf(OracleBackendOptions options) => options.OneByOne ? BackendNames.OracleAqReference : BackendNames.OracleAq;

    private static async Task<BackendProvision> ConnectAsync(
        NamedServer server,
        OracleBackendOptions options,
        ILogger logger,
        CancellationToken cancellationToken
    )
    {
        var description = await OracleServerDescription.ReadAsync(options, cancellationToken);
        return new BackendProvision.Provided(
            new NamedMeasuredBackend(
                server,
                new()
                {
                    Backend = NameOf(options),
                    Product = "Oracle Database",
                    Version = description.Version,
                    Source = server.Source,
                    Durability = DurabilityOf(description.Settings),
                    Settings = description.Settings,
                    Capabilities =
                    [
                        "signals: classic Advanced Queuing messages",
                        "wake-up of other processes: a queue of hints, one process at a time",
                        .. options.OneByOne ? [Reference] : Array.Empty<string>(),
                    ],
                },
                run => OracleStore.MakeAsync(options, run, logger)
            )
        );
    }

    /// <summary>A commit waits for the log unless one of these says otherwise; unset they are absent.</summary>
    internal static Durability DurabilityOf(IReadOnlyDictionary<string, string> settings)
    {
        bool Is(string name, string value) => string.Equals(settings.GetValueOrDefault(name), value, OrdinalIgnoreCase);
        return !settings.ContainsKey("processes") ? Durability.Unknown
            : Is("commit_wait", "NOWAIT") || Is("commit_logging", "BATCH") ? Durability.LossOnCrash
            : Durability.Durable;
    }
}

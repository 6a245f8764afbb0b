using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Backends;

/// <summary>An external Oracle server, or one in a container.</summary>
internal sealed class OracleMeasuredBackend : IMeasuredBackend
{
    private static readonly ServerSearch Search = new("Oracle", DatabaseEnvironment.Oracle, OracleDriver.NoServer, OracleServers.ProvisionAsync);

    private readonly NamedServer _server;
    private readonly OracleBackendOptions _options;

    private OracleMeasuredBackend(NamedServer server, OracleBackendOptions options, OracleServerDescription description)
    {
        _server = server;
        _options = options;
        Description = server.Describe(new()
        {
            Backend = BackendNames.OracleAq,
            Product = "Oracle Database",
            Version = description.Version,
            Source = server.Source,
            Durability = DurabilityOf(description.Settings),
            Settings = description.Settings,
            Capabilities = ["signals: classic Advanced Queuing messages", "wake-up of other processes: a queue of hints, one process at a time"],
        });
    }

    public DatabaseDescription Description { get; }

    public string? DataFolder => null;

    /// <summary>
    /// Connects to the server that SERDICA_PERF_ORACLE names, or starts one in a container; without driver or server reports
    /// that in one sentence.
    /// </summary>
    public static async Task<BackendProvision> ProvideAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        if (!OracleDriver.TryFind(out var factory))
            return new BackendProvision.Unavailable(OracleDriver.Missing);

        var (server, reason) = await NamedServer.FindAsync(Search, request, logger, cancellationToken).ConfigureAwait(false);
        if (server is null)
            return new BackendProvision.Unavailable(reason!);

        var options = new OracleBackendOptions { ConnectionString = server.ConnectionString, Factory = factory };
        try
        {
            var description = await OracleServerDescription.ReadAsync(options, cancellationToken).ConfigureAwait(false);
            return new BackendProvision.Provided(new OracleMeasuredBackend(server, options, description));
        }
        catch (Exception e) when (e is ArgumentException or WorkflowBackendException)
        {
            await server.DisposeAsync().ConfigureAwait(false);
            return new BackendProvision.Unavailable(
                $"{e.Message} 'serdica-perf doctor --backend {BackendNames.OracleAq}' reports details.");
        }
    }

    public Task<ServerUsage?> ReadUsageAsync(CancellationToken cancellationToken) => _server.ReadUsageAsync(cancellationToken);

    public Task<FsyncProbeResult?> ProbeFsyncAsync(CancellationToken cancellationToken) => _server.ProbeFsyncAsync(cancellationToken);

    public IScenarioStore CreateStore() => new OracleStore(_options);

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    /// <summary>A commit waits for the log unless one of these says otherwise; unset they are absent.</summary>
    private static Durability DurabilityOf(IReadOnlyDictionary<string, string> settings) =>
        !settings.ContainsKey("processes") ? Durability.Unknown
        : settings.GetValueOrDefault("commit_wait") is "NOWAIT" || settings.GetValueOrDefault("commit_logging") is "BATCH" ? Durability.LossOnCrash
        : Durability.Durable;
}

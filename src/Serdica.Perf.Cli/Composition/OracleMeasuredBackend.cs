using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Environments;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Cli.Composition;

/// <summary>An Oracle server that somebody else runs, or one in a container.</summary>
internal sealed class OracleMeasuredBackend : IMeasuredBackend
{
    private readonly OracleBackendOptions _server;
    private readonly DatabaseServer? _container;

    private OracleMeasuredBackend(OracleBackendOptions server, OracleServerDescription description, DatabaseServer? container)
    {
        _server = server;
        _container = container;
        var inContainer = container?.Description;
        Description = new()
        {
            Backend = BackendNames.OracleAq,
            Product = "Oracle Database",
            Version = description.Version,
            Source = (inContainer?.Source ?? DatabaseSourceKind.External).ToString().ToLowerInvariant(),
            Image = inContainer?.Container?.Image,
            Connection = server.ConnectionString,
            Durability = DurabilityOf(description.Settings),
            DataFileSystem = inContainer?.FileSystem,
            Settings = description.Settings.Concat(ContainerSettings.Of(inContainer?.Container)).ToDictionary(setting => setting.Key, setting => setting.Value),
            Capabilities = ["signals: classic Advanced Queuing messages", "wake-up of other processes: a queue of hints, one process at a time"],
        };
    }

    public DatabaseDescription Description { get; }

    public string? DataFolder => null;

    /// <summary>
    /// Connects to the server that SERDICA_PERF_ORACLE names, or starts one in a container; without driver or server says so
    /// in one sentence.
    /// </summary>
    public static async Task<BackendProvision> ProvideAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        if (!OracleDriver.TryFind(out var factory))
            return new BackendProvision.Unavailable(OracleDriver.Missing);
        if (request.Source is DatabaseSourceKind.Local)
            return new BackendProvision.Unavailable($"Oracle does not come from 'local' in this build: set {DatabaseEnvironment.SourceVariable(DatabaseEnvironment.Oracle)} to external or containers.");
        if (request.Source is not DatabaseSourceKind.Containers && request.ConnectionString is { } connectionString)
            return await ConnectAsync(new() { ConnectionString = connectionString, Factory = factory }, null, cancellationToken).ConfigureAwait(false);
        if (request.Source is DatabaseSourceKind.External)
            return new BackendProvision.Unavailable(OracleDriver.NoServer);

        return await OracleServers.ProvisionAsync(request, logger, cancellationToken).ConfigureAwait(false) switch
        {
            ProvisionOutcome.Provisioned { Server: var container } =>
                await ConnectAsync(new() { ConnectionString = container.ConnectionString, Factory = factory }, container, cancellationToken).ConfigureAwait(false),
            ProvisionOutcome.Unavailable { Reason: var reason } =>
                new BackendProvision.Unavailable(request.Source is null ? $"{OracleDriver.NoServer} {reason}" : reason),
            var other => throw new InvalidOperationException($"Unknown outcome {other}."),
        };
    }

    private static async Task<BackendProvision> ConnectAsync(OracleBackendOptions server, DatabaseServer? container, CancellationToken cancellationToken)
    {
        OracleMeasuredBackend? backend = null;
        try
        {
            backend = new(server, await OracleServerDescription.ReadAsync(server, cancellationToken).ConfigureAwait(false), container);
            return new BackendProvision.Provided(backend);
        }
        catch (Exception e) when (e is ArgumentException or WorkflowBackendException)
        {
            return new BackendProvision.Unavailable($"{e.Message} 'serdica-perf doctor --backend {BackendNames.OracleAq}' says more.");
        }
        finally
        {
            if (backend is null && container is not null)
                await container.DisposeAsync().ConfigureAwait(false);
        }
    }

    public async Task<ServerUsage?> ReadUsageAsync(CancellationToken cancellationToken) => _container is null
        ? null
        : await ServerFigures.ReadUsageAsync(_container, cancellationToken).ConfigureAwait(false);

    public async Task<FsyncProbeResult?> ProbeFsyncAsync(CancellationToken cancellationToken) => _container is null
        ? null
        : await ServerFigures.ProbeFsyncAsync(_container, cancellationToken).ConfigureAwait(false);

    public IScenarioStore CreateStore() => new OracleStore(_server);

    public ValueTask DisposeAsync() => _container?.DisposeAsync() ?? ValueTask.CompletedTask;

    /// <summary>A commit waits for the log unless one of these says otherwise; unset they are absent.</summary>
    private static Durability DurabilityOf(IReadOnlyDictionary<string, string> settings) =>
        !settings.ContainsKey("processes") ? Durability.Unknown
        : settings.GetValueOrDefault("commit_wait") is "NOWAIT" || settings.GetValueOrDefault("commit_logging") is "BATCH" ? Durability.LossOnCrash
        : Durability.Durable;
}

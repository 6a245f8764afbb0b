using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Cli.Composition;

/// <summary>An Oracle server that somebody else runs.</summary>
internal sealed class OracleMeasuredBackend : IMeasuredBackend
{
    private readonly OracleBackendOptions _server;

    private OracleMeasuredBackend(OracleBackendOptions server, OracleServerDescription description)
    {
        _server = server;
        Description = new()
        {
            Backend = BackendNames.OracleAq,
            Product = "Oracle Database",
            Version = description.Version,
            Source = DatabaseSourceKind.External.ToString().ToLowerInvariant(),
            Connection = server.ConnectionString,
            Durability = DurabilityOf(description.Settings),
            Settings = description.Settings,
            Capabilities = ["signals: classic Advanced Queuing messages", "wake-up of other processes: a queue of hints, one process at a time"],
        };
    }

    public DatabaseDescription Description { get; }

    public string? DataFolder => null;

    /// <summary>Connects to the server that SERDICA_PERF_ORACLE names; without driver or server says so in one sentence.</summary>
    public static async Task<BackendProvision> ProvideAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        if (!OracleDriver.TryFind(out var factory))
            return new BackendProvision.Unavailable(OracleDriver.Missing);
        if (request.Source is { } source and not DatabaseSourceKind.External)
            return new BackendProvision.Unavailable($"Oracle does not come from '{source.ToString().ToLowerInvariant()}' in this build: set {DatabaseEnvironment.SourceVariable(DatabaseEnvironment.Oracle)} to external.");
        if (request.ConnectionString is not { } connectionString)
            return new BackendProvision.Unavailable(OracleDriver.NoServer);

        var server = new OracleBackendOptions { ConnectionString = connectionString, Factory = factory };
        try
        {
            var description = await OracleServerDescription.ReadAsync(server, cancellationToken).ConfigureAwait(false);
            return new BackendProvision.Provided(new OracleMeasuredBackend(server, description));
        }
        catch (Exception e) when (e is ArgumentException or WorkflowBackendException)
        {
            return new BackendProvision.Unavailable($"{e.Message} 'serdica-perf doctor --backend {BackendNames.OracleAq}' says more.");
        }
    }

    public IScenarioStore CreateStore() => new OracleStore(_server);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>A commit waits for the log unless one of these says otherwise; unset they are absent.</summary>
    private static Durability DurabilityOf(IReadOnlyDictionary<string, string> settings) =>
        !settings.ContainsKey("processes") ? Durability.Unknown
        : settings.GetValueOrDefault("commit_wait") is "NOWAIT" || settings.GetValueOrDefault("commit_logging") is "BATCH" ? Durability.LossOnCrash
        : Durability.Durable;
}

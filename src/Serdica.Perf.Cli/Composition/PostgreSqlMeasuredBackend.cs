using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;

namespace Serdica.Perf.Cli.Composition;

/// <summary>A PostgreSQL server, wherever it came from.</summary>
internal sealed class PostgreSqlMeasuredBackend(DatabaseServer server) : IMeasuredBackend
{
    public DatabaseDescription Description { get; } = Describe(server);

    public string? DataFolder => server.DataFolder;

    public int? ServerProcessId => server.ProcessId;

    public IScenarioStore CreateStore() => new PostgreSqlStore(server.ConnectionString, server.ProcessId);

    public ValueTask DisposeAsync() => server.DisposeAsync();

    private static DatabaseDescription Describe(DatabaseServer server)
    {
        var description = server.Description;
        return new()
        {
            Backend = BackendNames.PostgreSql,
            Product = description.Product,
            Version = description.Version,
            Source = description.Source.ToString().ToLowerInvariant(),
            Connection = server.ConnectionString,
            Durability = description.Durability switch
            {
                DurabilityClass.Durable => Durability.Durable,
                DurabilityClass.LossOnCrash => Durability.LossOnCrash,
                _ => Durability.NotDurable,
            },
            DataFileSystem = description.FileSystem,
            Settings = description.DurabilitySettings
                .Concat(description.Settings)
                .DistinctBy(setting => setting.Key)
                .ToDictionary(setting => setting.Key, setting => setting.Value),
            Capabilities = ["wake-up of other processes: LISTEN and NOTIFY"],
        };
    }
}

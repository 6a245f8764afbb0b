using Serdica.Perf.Measurement.Stores;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>A store of one test, dropped at its end.</summary>
internal sealed class StandInStore(NpgsqlDataSource? source, string prefix, Func<string, string, string>? change)
    : IBackendSchema,
        IScenarioStore
{
    /// <inheritdoc cref="OracleBackendOptions.OneByOne"/>
    public bool OneByOne { get; init; }

    public string Backend => "oracle-stand-in";

    public IBackendStatistics? Statistics => null;

    public StandInFactory Factory { get; } = new(source, prefix, change);

    public IWorkflowBackend Connect() => new OracleWorkflowBackend(Options());

    public async ValueTask DisposeAsync()
    {
        await using (var backend = new OracleWorkflowBackend(Options()))
            await backend.DropSchemaAsync(CancellationToken.None);
        await source!.DisposeAsync();
    }

    public OracleBackendOptions Options() =>
        new()
        {
            ConnectionString = "User Id=wf;Password=unused;Data Source=stand-in",
            Prefix = prefix,
            Factory = Factory,
            OneByOne = OneByOne,
        };
}

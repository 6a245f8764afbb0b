namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>The Oracle backend with its shipped package on IvorySQL.</summary>
internal sealed class StandInFixture(IvorySqlFixture server, bool isOneByOne = false) : IBackendFixture
{
    private static int _stores;

    /// <summary>Makes another text of a shipped one, by the name of the script, for the stores that the test makes.</summary>
    public static AsyncLocal<Func<string, string, string>?> Change { get; } = new();

    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        new StandInStore(
            await server.ConnectAsync(cancellationToken),
            $"STANDIN_{Guid.NewGuid():N}"[..30].ToUpperInvariant() + $"_{Interlocked.Increment(ref _stores)}",
            Change.Value
        )
        {
            OneByOne = isOneByOne,
        };
}

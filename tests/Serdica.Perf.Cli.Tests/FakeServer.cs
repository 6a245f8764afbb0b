namespace Serdica.Perf.Cli.Tests;

/// <summary>A server that nobody has started.</summary>
/// <param name="processes">The processes of its nodes on this machine; none where it runs elsewhere.</param>
internal sealed class FakeServer(params int[] processes) : DatabaseServer
{
    public ContainerUsage? Container { get; init; }

    public IReadOnlyList<TimeSpan> Flushes { get; init; } = [];

    public DurabilityClass Durability { get; init; } = DurabilityClass.Durable;

    public bool IsStopped { get; private set; }

    public override int? ProcessId => processes is [var first, ..] ? first : null;

    public override IReadOnlyList<DatabaseServer> Nodes =>
        processes.Length > 1 ? [.. processes.Select(process => new FakeServer(process))] : [this];

    public override string ConnectionString => "Host=db";

    public override ServerDescription Description =>
        new()
        {
            Product = "Product",
            Version = "1",
            Source = DatabaseSourceKind.Containers,
            Durability = Durability,
            DurabilitySettings = new Dictionary<string, string>(),
            Settings = new Dictionary<string, string>(),
            FileSystem = "xfs",
        };

    public override Task<ContainerUsage?> ReadUsageAsync(CancellationToken cancellationToken) => Task.FromResult(Container);

    public override Task<IReadOnlyList<TimeSpan>> MeasureFlushesAsync(CancellationToken cancellationToken) => Task.FromResult(Flushes);

    public override ValueTask DisposeAsync()
    {
        IsStopped = true;
        return ValueTask.CompletedTask;
    }
}

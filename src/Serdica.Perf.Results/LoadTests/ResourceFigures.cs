namespace Serdica.Perf.Results.LoadTests;

/// <summary>What one component used over a step, from one sample a second; a total is one series too, and no sum of percentiles.</summary>
public sealed record ResourceFigures
{
    /// <summary>The component that is all processes of the test together.</summary>
    public const string Total = "total";

    /// <summary>The component that is engine and load generator in one process.</summary>
    public const string Engine = "engine and generator";

    /// <summary><c>database</c>, <c>engine and generator</c>, <c>machine</c> or <c>total</c>.</summary>
    public required string Component { get; init; }

    /// <summary>How many there were. The figures are of one: the highest percentile and maximum, and the mean of all.</summary>
    public int Replicas { get; init; } = 1;

    /// <summary>How many samples are behind the figures.</summary>
    public required int Samples { get; init; }

    /// <summary>In cores; null where the system does not tell.</summary>
    public Usage? Cpu { get; init; }

    /// <summary>In bytes; null where the system does not tell.</summary>
    public Usage? Memory { get; init; }

    /// <summary>Bytes a second fetched from the storage layer; null with its reason in <see cref="Missing"/>.</summary>
    public Usage? DiskRead { get; init; }

    /// <summary>Bytes a second caused to be sent to it; the same.</summary>
    public Usage? DiskWrite { get; init; }

    /// <summary>Requests a second that the disks of the machine completed; null of all else, and where the system does not tell.</summary>
    public Usage? DiskReads { get; init; }

    /// <inheritdoc cref="DiskReads"/>
    public Usage? DiskWrites { get; init; }

    /// <summary>Bytes a second on all interfaces but the loopback; the same.</summary>
    public Usage? NetworkReceived { get; init; }

    /// <inheritdoc cref="NetworkReceived"/>
    public Usage? NetworkSent { get; init; }

    /// <summary>Why there is no figure of disk or network, by <c>disk</c>, <c>written</c> and <c>network</c>.</summary>
    public IReadOnlyDictionary<string, string> Missing { get; init; } = new Dictionary<string, string>();

    /// <summary>
    /// Of generators that ran side by side: each is a replica; the database and the machine all of them saw. There is no total,
    /// which is one series.
    /// </summary>
    public static IReadOnlyList<ResourceFigures> OfReplicas(IEnumerable<IReadOnlyList<ResourceFigures>> generators) =>
    [
        .. generators.SelectMany(figures => figures)
            .Where(figures => figures.Component != Total)
            .GroupBy(figures => figures.Component)
            .Select(seen => seen.Key == Engine ? Replicate([.. seen]) : seen.MaxBy(figures => figures.Samples)!),
    ];

    private static ResourceFigures Replicate(IReadOnlyList<ResourceFigures> replicas) => replicas[0] with
    {
        Replicas = replicas.Count,
        Samples = replicas.Min(figures => figures.Samples),
        Cpu = Usage.OfReplicas(replicas.Select(figures => figures.Cpu)),
        Memory = Usage.OfReplicas(replicas.Select(figures => figures.Memory)),
        DiskRead = Usage.OfReplicas(replicas.Select(figures => figures.DiskRead)),
        DiskWrite = Usage.OfReplicas(replicas.Select(figures => figures.DiskWrite)),
    };

    /// <summary>The 99th percentile by nearest rank, the highest, and the mean.</summary>
    public sealed record Usage(double P99, double Max, double Average)
    {
        /// <summary>Null where none is told.</summary>
        public static Usage? OfReplicas(IEnumerable<Usage?> replicas)
        {
            var told = replicas.OfType<Usage>().ToArray();
            return told.Length == 0 ? null : new(told.Max(usage => usage.P99), told.Max(usage => usage.Max), told.Average(usage => usage.Average));
        }

        /// <summary>Null of an empty series.</summary>
        public static Usage? Of(IEnumerable<double> series)
        {
            var values = series.Order().ToArray();
            return values.Length == 0 ? null : new(values[Math.Max(0, (int)Math.Ceiling(0.99 * values.Length) - 1)], values[^1], values.Average());
        }
    }
}

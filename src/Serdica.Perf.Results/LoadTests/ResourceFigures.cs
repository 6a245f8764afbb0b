namespace Serdica.Perf.Results.LoadTests;

/// <summary>
/// What one component used during a step, from one sample a second. A total is a series of its own and not a sum of percentiles.
/// </summary>
public sealed record ResourceFigures
{
    /// <summary>The component that stands for all processes of the test together.</summary>
    public const string Total = "total";

    /// <summary>The component that contains engine and load generator, which share one process.</summary>
    public const string Engine = "engine and generator";

    /// <summary><c>database</c>, <c>engine and generator</c>, <c>machine</c> or <c>total</c>.</summary>
    public required string Component { get; init; }

    /// <summary>The number of replicas. Percentile and maximum are the highest of all replicas; the mean is over all.</summary>
    public int Replicas { get; init; } = 1;

    /// <summary>The number of samples behind the figures.</summary>
    public required int Samples { get; init; }

    /// <summary>Cores in use; null where the system does not report it.</summary>
    public Usage? Cpu { get; init; }

    /// <summary>Bytes of memory; null where the system does not report it.</summary>
    public Usage? Memory { get; init; }

    /// <summary>Bytes a second read from the storage layer; null with a reason in <see cref="Missing"/>.</summary>
    public Usage? DiskRead { get; init; }

    /// <summary>Bytes a second written to the storage layer; null with a reason in <see cref="Missing"/>.</summary>
    public Usage? DiskWrite { get; init; }

    /// <summary>
    /// Requests a second that the machine's disks completed; null for other components, and where the system does not report it.
    /// </summary>
    public Usage? DiskReads { get; init; }

    /// <inheritdoc cref="DiskReads"/>
    public Usage? DiskWrites { get; init; }

    /// <summary>Bytes a second received on all interfaces except the loopback; null with a reason in <see cref="Missing"/>.</summary>
    public Usage? NetworkReceived { get; init; }

    /// <inheritdoc cref="NetworkReceived"/>
    public Usage? NetworkSent { get; init; }

    /// <summary>Why a figure is missing, by <c>disk</c>, <c>written</c> and <c>network</c>.</summary>
    public IReadOnlyDictionary<string, string> Missing { get; init; } = new Dictionary<string, string>();

    /// <summary>
    /// The figures of generators that ran side by side. Each generator is a replica; database and machine were observed by all of
    /// them. There is no total, because it would need one common series.
    /// </summary>
    public static IReadOnlyList<ResourceFigures> OfReplicas(IEnumerable<IReadOnlyList<ResourceFigures>> generators) =>
        [
            .. generators
                .SelectMany(figures => figures)
                .Where(figures => figures.Component != Total)
                .GroupBy(figures => figures.Component)
                .Select(seen => seen.Key == Engine ? Replicate([.. seen]) : seen.MaxBy(figures => figures.Samples)!),
        ];

    private static ResourceFigures Replicate(IReadOnlyList<ResourceFigures> replicas) =>
        replicas[0] with
        {
            Replicas = replicas.Count,
            Samples = replicas.Min(figures => figures.Samples),
            Cpu = Usage.OfReplicas(replicas.Select(figures => figures.Cpu)),
            Memory = Usage.OfReplicas(replicas.Select(figures => figures.Memory)),
            DiskRead = Usage.OfReplicas(replicas.Select(figures => figures.DiskRead)),
            DiskWrite = Usage.OfReplicas(replicas.Select(figures => figures.DiskWrite)),
        };

    /// <summary>The 99th percentile by nearest rank, the maximum and the mean of a series.</summary>
    public sealed record Usage(double P99, double Max, double Average)
    {
        /// <summary>The usage over all replicas; null when none of them has a figure.</summary>
        public static Usage? OfReplicas(IEnumerable<Usage?> replicas)
        {
            var told = replicas.OfType<Usage>().ToArray();
            return told.Length == 0
                ? null
                : new(told.Max(usage => usage.P99), told.Max(usage => usage.Max), told.Average(usage => usage.Average));
        }

        /// <summary>The usage of a series; null when it is empty.</summary>
        public static Usage? Of(IEnumerable<double> series)
        {
            var values = series.Order().ToArray();
            return values.Length == 0
                ? null
                : new(values[Math.Max(0, (int)Math.Ceiling(0.99 * values.Length) - 1)], values[^1], values.Average());
        }
    }
}

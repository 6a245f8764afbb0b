namespace Serdica.Perf.Faults.Plans;

/// <summary>What holds for all faults of one kind.</summary>
/// <param name="Shortest">The shortest fault of a built-in plan, in seconds.</param>
/// <param name="Longest">The longest one, in seconds.</param>
internal sealed record FaultTraits(double Shortest, double Longest)
{
    /// <value>Strikes one host, and the others are expected to take over while it lasts; otherwise it strikes all.</value>
    public bool OneHost { get; init; }

    /// <value>Nothing can succeed while it lasts; on a cluster, nothing that needs the node.</value>
    public bool Stops { get; init; }

    /// <value>DocumentDB cannot be put under it.</value>
    public bool NotDocumentDb { get; init; }

    /// <value>Ends the processes of the server.</value>
    public bool EndsServer { get; init; }

    /// <value>
    /// A cluster can be put under it too. Its hosts connect to the workers beside the proxies, and one session reaches one node only.
    /// </value>
    public bool FitsCluster { get; init; }

    /// <summary>Whether a backend can be put under it.</summary>
    public bool Fits(string backend) =>
        backend switch
        {
            BackendNames.PostgreSql => true,
            BackendNames.Citus => FitsCluster,
            _ => !NotDocumentDb,
        };

    /// <summary>Whether it can be done to a container; others need processes or files of the server.</summary>
    public static bool FitsContainer(FaultKind kind) => kind is not (FaultKind.FillDisk or FaultKind.FillVolume);

    /// <summary>The name of a kind as plans, thresholds and results have it.</summary>
    public static string Name(FaultKind kind) => char.ToLowerInvariant(kind.ToString()[0]) + kind.ToString()[1..];

    public static FaultTraits Of(FaultKind kind) =>
        kind switch
        {
            FaultKind.KillHost or FaultKind.TerminateHost => new(1, 3) { OneHost = true, FitsCluster = true },
            FaultKind.PauseHost => new(3, 6) { OneHost = true, FitsCluster = true },
            FaultKind.PartitionHost or FaultKind.HalfOpenHost => new(3, 6) { OneHost = true },
            FaultKind.KillDatabase or FaultKind.CrashDatabase or FaultKind.RestartDatabase => new(0.2, 1)
            {
                Stops = true,
                EndsServer = true,
                FitsCluster = true,
            },
            FaultKind.PauseDatabase => new(1, 3) { Stops = true, FitsCluster = true },
            FaultKind.FillDisk => new(1, 3) { Stops = true, EndsServer = true },
            FaultKind.FillVolume => new(2, 4) { Stops = true, NotDocumentDb = true },
            FaultKind.SkewClock => new(3, 6) { OneHost = true, FitsCluster = true },
            FaultKind.UpgradeHost => new(4, 8) { OneHost = true, NotDocumentDb = true, FitsCluster = true },
            FaultKind.HoldLock => new(0.5, 1.5) { Stops = true },
            FaultKind.KillSessions => new(3, 6) { FitsCluster = true },
            FaultKind.ResetConnections or FaultKind.CutCommits => new(3, 6),
            FaultKind.Latency or FaultKind.Bandwidth or FaultKind.ChangeSchema => new(3, 6),
            FaultKind.HoldSnapshot => new(5, 10),
            _ => throw new ArgumentException($"'{kind}' is no kind of fault."),
        };
}

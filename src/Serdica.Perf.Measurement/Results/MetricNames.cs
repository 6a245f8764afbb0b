namespace Serdica.Perf.Measurement.Results;

/// <summary>Names of metrics that mean the same on every backend.</summary>
public static class MetricNames
{
    /// <summary>Transactions that wrote something.</summary>
    public const string WritingCommits = "writingCommits";

    /// <summary>What was written to the log that a commit is made durable by.</summary>
    public const string WalBytes = "walBytes";

    /// <summary>How often that log was flushed to the disk.</summary>
    public const string WalSyncs = "walSyncs";

    /// <summary>Processor time of this process: engine and load generator.</summary>
    public const string EngineCpu = "engineCpu";

    /// <summary>What this process allocated.</summary>
    public const string Allocated = "allocated";

    /// <summary>The most memory this process had at once.</summary>
    public const string PeakWorkingSet = "peakWorkingSet";
}

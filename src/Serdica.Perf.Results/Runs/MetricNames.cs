namespace Serdica.Perf.Results.Runs;

/// <summary>Names of metrics that mean the same on every backend.</summary>
public static class MetricNames
{
    /// <summary>Transactions that wrote something.</summary>
    public const string WritingCommits = "writingCommits";

    /// <summary>What was written to the log that a commit is made durable by.</summary>
    public const string WalBytes = "walBytes";

    /// <summary>How often that log was flushed to the disk.</summary>
    public const string WalSyncs = "walSyncs";

    /// <summary>Transactions that ended well, those that only read among them.</summary>
    public const string Commits = "commits";

    /// <summary>Vacuums of the engine's tables that were asked for.</summary>
    public const string Vacuums = "vacuums";

    /// <summary>Vacuums of the engine's tables of the server's own accord.</summary>
    public const string Autovacuums = "autovacuums";

    public const string Checkpoints = "checkpoints";

    public const string Connections = "connections";

    public const string Rollbacks = "rollbacks";

    /// <summary>Pages that statements asked for, found in memory or read from the disk.</summary>
    public const string LogicalReads = "logicalReads";

    /// <summary>Rows inserted, updated and deleted.</summary>
    public const string RowsTouched = "rowsTouched";

    /// <summary>Requests of the engine to the server, each with the wait for its answer.</summary>
    public const string RoundTrips = "roundTrips";

    /// <summary>Processor time of the server's processes.</summary>
    public const string DatabaseCpu = "databaseCpu";

    /// <summary>
    /// Private memory of all the server's processes, and once the shared memory that the one who touched most of it has touched.
    /// </summary>
    public const string DatabaseMemory = "databaseMemory";

    /// <summary>Memory of the server's container, without the part of the file cache that the kernel would give up first.</summary>
    public const string ContainerMemory = "containerMemory";

    /// <summary>Bytes that the server fetched from the storage layer, and caused to be sent to it: of all its processes, or of its container.</summary>
    public const string DatabaseDiskReads = "databaseDiskReads";

    /// <inheritdoc cref="DatabaseDiskReads"/>
    public const string DatabaseDiskWrites = "databaseDiskWrites";

    /// <summary>What the server's container read from block devices.</summary>
    public const string ContainerBlockReads = "containerBlockReads";

    /// <summary>What the server's container wrote to block devices.</summary>
    public const string ContainerBlockWrites = "containerBlockWrites";

    /// <summary>Time that a backend's statistics spent on their own looks at the server.</summary>
    public const string CollectorTime = "collectorTime";

    /// <summary>Processor time of the threads and sessions that a backend's statistics have for themselves.</summary>
    public const string CollectorCpu = "collectorCpu";

    /// <summary>Processor time of this process: engine and load generator.</summary>
    public const string EngineCpu = "engineCpu";

    /// <summary>Processor time of everything that ran on this machine, others and stolen time among it.</summary>
    public const string MachineCpu = "machineCpu";

    /// <summary>What this process allocated.</summary>
    public const string Allocated = "allocated";

    /// <summary>How long garbage collections kept all threads of this process from running.</summary>
    public const string CollectionPause = "collectionPause";

    /// <summary>Garbage collections of all generations.</summary>
    public const string FullCollections = "gen2Collections";

    /// <summary>The most memory this process had at once.</summary>
    public const string PeakWorkingSet = "peakWorkingSet";
}

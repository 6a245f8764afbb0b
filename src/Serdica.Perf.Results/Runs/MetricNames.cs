namespace Serdica.Perf.Results.Runs;

/// <summary>Names of metrics that have the same meaning on every backend.</summary>
public static class MetricNames
{
    /// <summary>Transactions that wrote something.</summary>
    public const string WritingCommits = "writingCommits";

    /// <summary>Bytes written to the log that makes commits durable.</summary>
    public const string WalBytes = "walBytes";

    /// <summary>How many times that log was flushed to the disk.</summary>
    public const string WalSyncs = "walSyncs";

    /// <summary>How long flushes of that log took, one after the other.</summary>
    public const string WalSyncTime = "walSyncTime";

    /// <summary>Committed transactions, including read-only ones.</summary>
    public const string Commits = "commits";

    /// <summary>Vacuums of the engine's tables that were requested.</summary>
    public const string Vacuums = "vacuums";

    /// <summary>Vacuums of the engine's tables that the server started itself.</summary>
    public const string Autovacuums = "autovacuums";

    public const string Checkpoints = "checkpoints";

    /// <summary>Bytes of log since the start of the last checkpoint, whose pages the next one must write.</summary>
    public const string WalSinceCheckpoint = "walSinceCheckpoint";

    /// <summary>Rows that were updated or deleted, and that no vacuum has removed yet.</summary>
    public const string DeadRows = "deadRows";

    public const string Connections = "connections";

    public const string Rollbacks = "rollbacks";

    /// <summary>Pages that statements requested, found in memory or read from the disk.</summary>
    public const string LogicalReads = "logicalReads";

    /// <summary>Rows inserted, updated and deleted.</summary>
    public const string RowsTouched = "rowsTouched";

    /// <summary>Requests of the engine to the server that wait for a response.</summary>
    public const string RoundTrips = "roundTrips";

    /// <summary>Processor time of the server's processes.</summary>
    public const string DatabaseCpu = "databaseCpu";

    /// <summary>Milliseconds in which foreground sessions were active, as the server itself counts them.</summary>
    public const string DatabaseTime = "databaseTime";

    /// <summary>
    /// Private memory of all server processes, plus the shared memory once: the largest part that any one process has touched.
    /// </summary>
    public const string DatabaseMemory = "databaseMemory";

    /// <summary>Memory of the server's container, without the part of the file cache that the kernel would release first.</summary>
    public const string ContainerMemory = "containerMemory";

    /// <summary>Bytes that the server read from or wrote to the storage layer: of all its processes, or of its container.</summary>
    public const string DatabaseDiskReads = "databaseDiskReads";

    /// <inheritdoc cref="DatabaseDiskReads"/>
    public const string DatabaseDiskWrites = "databaseDiskWrites";

    /// <summary>Bytes that the server's container read from block devices.</summary>
    public const string ContainerBlockReads = "containerBlockReads";

    /// <summary>Bytes that the server's container wrote to block devices.</summary>
    public const string ContainerBlockWrites = "containerBlockWrites";

    /// <summary>Time that a backend's statistics spent on their own polls of the server.</summary>
    public const string CollectorTime = "collectorTime";

    /// <summary>Processor time of the threads and sessions that only a backend's statistics use.</summary>
    public const string CollectorCpu = "collectorCpu";

    /// <summary>Processor time of engine and load generator: of this process, and of the host processes where there are such.</summary>
    public const string EngineCpu = "engineCpu";

    /// <summary>Processor time of everything that ran on this machine, including other programs and stolen time.</summary>
    public const string MachineCpu = "machineCpu";

    /// <summary>Bytes that this process allocated.</summary>
    public const string Allocated = "allocated";

    /// <summary>Time during which garbage collections paused all threads of this process.</summary>
    public const string CollectionPause = "collectionPause";

    /// <summary>Garbage collections of all generations.</summary>
    public const string FullCollections = "gen2Collections";

    /// <summary>The peak memory of this process.</summary>
    public const string PeakWorkingSet = "peakWorkingSet";

    /// <summary>Batches of workers that were rolled back because an instance had changed in the meantime.</summary>
    public const string Conflicts = "conflicts";

    /// <summary>Claims of workers that found nothing due.</summary>
    public const string EmptyClaims = "emptyClaims";
}

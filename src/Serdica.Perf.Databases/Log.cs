namespace Serdica.Perf.Databases;

internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information, "Using the external {Product} {Version} at {Host}:{Port}/{Database} (durability {Durability})")]
    public static partial void UsingExternal(
        ILogger logger,
        string product,
        string version,
        string host,
        int port,
        string database,
        DurabilityClass durability
    );

    [LoggerMessage(
        2,
        LogLevel.Information,
        "Started {Product} {Version} from {BinaryFolder} on port {Port} in {Folder} ({FileSystem}) within {DurationMs:F0} ms"
    )]
    public static partial void StartedLocal(
        ILogger logger,
        string product,
        string version,
        string binaryFolder,
        int port,
        string folder,
        string fileSystem,
        double durationMs
    );

    [LoggerMessage(
        3,
        LogLevel.Warning,
        "{Folder} is on {FileSystem}, in memory: commits there cost nothing and are not durable; set SERDICA_PERF_TEMP to a folder on a "
            + "disk"
    )]
    public static partial void DataInMemory(ILogger logger, string folder, string fileSystem);

    [LoggerMessage(4, LogLevel.Information, "Removed {Folder}, left behind by process {OwnerProcessId}, which no longer runs")]
    public static partial void RemovedStale(ILogger logger, string folder, int ownerProcessId);

    [LoggerMessage(5, LogLevel.Warning, "Could not remove {Folder}, left behind by process {OwnerProcessId}: {Problem}")]
    public static partial void StaleNotRemoved(ILogger logger, string folder, int ownerProcessId, string problem);

    [LoggerMessage(6, LogLevel.Debug, "Port {Port} was taken before the server could bind it; trying another")]
    public static partial void PortTaken(ILogger logger, int port);

    [LoggerMessage(7, LogLevel.Information, "Starting {Product} from {Image} on {Engine}; a missing image is pulled first")]
    public static partial void StartingContainer(ILogger logger, string product, string image, string engine);

    [LoggerMessage(8, LogLevel.Information, "Started {Product} {Version} from {Image} ({FileSystem}) within {DurationMs:F0} ms")]
    public static partial void StartedContainer(
        ILogger logger,
        string product,
        string version,
        string image,
        string fileSystem,
        double durationMs
    );

    [LoggerMessage(
        9,
        LogLevel.Warning,
        "Another {Backend} container, left by --keep-database, uses processors and memory of this machine: remove it with 'docker rm -f "
            + "-v {ContainerId}'"
    )]
    public static partial void OtherContainerKept(ILogger logger, string backend, string containerId);

    [LoggerMessage(10, LogLevel.Information, "Skipping source {Source}: {Reason}")]
    public static partial void PassedOver(ILogger logger, DatabaseSourceKind source, string reason);

    [LoggerMessage(
        11,
        LogLevel.Information,
        "Log files created in advance: {Count} of {Mebibytes} MiB, within {DurationMs:F0} ms, so that no commit waits for one"
    )]
    public static partial void MadeLogFiles(ILogger logger, long count, long mebibytes, double durationMs);

    [LoggerMessage(
        12,
        LogLevel.Warning,
        "Only {Affordable} of {Wanted} log files of {Mebibytes} MiB are created in advance, because {Folder} has {FreeMebibytes} MiB "
            + "free: commits will wait for the others; set SERDICA_PERF_TEMP to a folder with more room"
    )]
    public static partial void LittleRoomForLogFiles(
        ILogger logger,
        long affordable,
        long wanted,
        long mebibytes,
        string folder,
        long freeMebibytes
    );

    [LoggerMessage(
        13,
        LogLevel.Warning,
        "The container of {Product} ran out of {Memory}, and processes in it were killed: raise --db-memory, or measure less"
    )]
    public static partial void RanOutOfMemory(ILogger logger, string product, string memory);

    [LoggerMessage(14, LogLevel.Information, "Starting {Server} from {BinaryFolder} ...")]
    public static partial void StartingLocal(ILogger logger, string server, string binaryFolder);

    [LoggerMessage(15, LogLevel.Information, "Creating log files in advance: {Count} of {Mebibytes} MiB ...")]
    public static partial void MakingLogFiles(ILogger logger, long count, long mebibytes);
}

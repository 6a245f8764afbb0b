namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Which writes a query sees. DocumentDB has one server, whose commits are kept at once: there both are the same.</summary>
internal enum ReadLevel
{
    /// <summary>
    /// What a majority of the servers has: what is reported to callers must not be undone when another server takes over.
    /// </summary>
    Kept,

    /// <summary>
    /// All that the primary has. For what is read to be written upon: a majority is some milliseconds behind, in which
    /// claimed signals and changed instances would be met again as they were. When such a write is kept by a majority,
    /// so is all that the primary had before it.
    /// </summary>
    Latest,
}

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The commands that the backend uses. The first element of a command's document says the same.</summary>
public enum DocumentOperation
{
    Find,
    Aggregate,
    Insert,
    Update,
    Delete,
    Create,
    CreateIndexes,
    DropDatabase,
    ServerStatus,
    Hello,
    BuildInfo,
}

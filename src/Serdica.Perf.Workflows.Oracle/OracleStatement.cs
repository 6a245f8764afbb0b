using System.Data;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// A script with its binds. The driver binds by position unless told otherwise: each bind stands once in its text, and
/// in the order of this list, so that the statement is right either way. A test holds every statement to that.
/// </summary>
internal sealed record OracleStatement(string Script, params OracleBind[] Binds)
{
    public static readonly OracleStatement WriteBatch = new(
        "write-batch",
        new("p_items", DbType.Binary),
        new("p_contents", DbType.Binary),
        new("p_since", DbType.Int64),
        OracleBind.OutNumber("p_now_us"),
        OracleBind.OutNumber("p_conflict"),
        OracleBind.OutRaw("p_results")
    );

    public static readonly OracleStatement AppendContent = new(
        "append-content",
        new("p_target", DbType.String),
        new("p_instance_id", DbType.Binary),
        new("p_signal_id", DbType.Binary),
        new("p_chunk", DbType.Binary)
    );

    public static readonly OracleStatement ClaimBatch = new(
        "claim-batch",
        new("p_max", DbType.Int64),
        new("p_bytes", DbType.Int64),
        new("p_skip", DbType.Int64),
        new("p_one", DbType.Int64),
        OracleBind.OutNumber("p_now_us"),
        OracleBind.OutNumber("p_next_us"),
        OracleBind.OutNumber("p_missing"),
        OracleBind.OutRaw("p_instances"),
        OracleBind.OutRaw("p_contents")
    );

    public static readonly OracleStatement ReceiveBatch = new(
        "receive-batch",
        new("p_max", DbType.Int64),
        new("p_seconds", DbType.Int64),
        OracleBind.OutNumber("p_now_us"),
        OracleBind.OutNumber("p_next_us"),
        OracleBind.OutNumber("p_waited"),
        OracleBind.OutRaw("p_messages"),
        OracleBind.OutRaw("p_contents")
    );

    public static readonly OracleStatement PurgeClosed = new(
        "purge-closed",
        new("p_age_us", DbType.Int64),
        new("p_batch", DbType.Int64),
        OracleBind.OutNumber("p_purged")
    );

    public static readonly OracleStatement PurgeOrphans = new(
        "purge-orphans",
        new("p_batch", DbType.Int64),
        OracleBind.OutNumber("p_purged")
    );

    public static readonly OracleStatement BeginUpkeep = new(
        "begin-upkeep",
        new("p_pause_us", DbType.Int64),
        OracleBind.OutNumber("p_begun")
    );

    public static readonly OracleStatement SweepMessages = new(
        "sweep-messages",
        new("p_batch", DbType.Int64),
        OracleBind.OutNumber("p_swept")
    );

    public static readonly OracleStatement NotifyWork = new("notify-work", new("p_sender", DbType.Binary), OracleBind.OutNumber("p_left"));

    public static readonly OracleStatement AwaitWork = new(
        "await-work",
        new("p_sender", DbType.Binary),
        new("p_seconds", DbType.Int64),
        OracleBind.OutNumber("p_found")
    );

    public static readonly OracleStatement Find = new("find", new OracleBind("p_instance_id", DbType.Binary));

    public static readonly OracleStatement FindByKey = new("find-by-key", new OracleBind("p_business_key", DbType.Binary));

    public static readonly OracleStatement LargeInstance = new("large-instance", new OracleBind("p_instance_id", DbType.Binary));

    public static readonly OracleStatement LargeSignal = new(
        "large-signal",
        new("p_instance_id", DbType.Binary),
        new("p_signal_id", DbType.Binary)
    );

    public static readonly OracleStatement DeadLetters = new("dead-letters", new OracleBind("p_limit", DbType.Int64));

    public static readonly OracleStatement Census = new("census");

    public static readonly OracleStatement CensusDefinitions = new("census-definitions");

    public static readonly OracleStatement SchemaVersion = new("schema-version");

    public static readonly OracleStatement LockSchema = new("lock-schema");

    public static readonly OracleStatement SetVersion = new("set-version", new("p_version", DbType.Int64), new("p_hash", DbType.String));

    public static readonly OracleStatement CompileErrors = new(
        "compile-errors",
        new("p_name", DbType.String),
        new("p_type", DbType.String)
    );

    public static readonly OracleStatement InspectPackage = new("inspect-package", new OracleBind("p_package", DbType.String));

    public static readonly OracleStatement InspectParameter = new("inspect-parameter", new OracleBind("p_name", DbType.String));

    /// <summary>A script without binds.</summary>
    public static OracleStatement Plain(string script) => new(script);
}

/// <summary>One bind of a statement. The order of the binds is the order in which they stand in the text.</summary>
/// <param name="Name">Without the colon.</param>
/// <param name="Type">A type that the driver turns into a .NET value on the way out.</param>
/// <param name="Direction">In or out, never both.</param>
/// <param name="Size">Bytes for RAW and characters for text on the way out; the driver fails without it.</param>
internal sealed record OracleBind(string Name, DbType Type, ParameterDirection Direction = ParameterDirection.Input, int Size = 0)
{
    /// <summary>Somewhat less than the 32,767 bytes that a RAW holds in PL/SQL: drivers differ near that limit.</summary>
    public const int MaxRaw = 32_000;

    public static OracleBind OutNumber(string name) => new(name, DbType.Int64, ParameterDirection.Output);

    public static OracleBind OutRaw(string name) => new(name, DbType.Binary, ParameterDirection.Output, MaxRaw);
}

namespace Serdica.Perf.Workflows.MongoDb;

internal static class Collections
{
    /// <summary>One document: the version of the layout. Asked for the server's clock, too.</summary>
    public const string Store = "store";

    /// <summary><c>_id</c> is the instance.</summary>
    public const string Instances = "instances";

    /// <summary><c>_id</c> is a business key; says whose it is.</summary>
    public const string BusinessKeys = "business_keys";

    /// <summary><c>_id</c> is a <see cref="DueKey"/>.</summary>
    public const string Signals = "signals";

    /// <summary><c>_id</c> is an instance with a dedup key that it has accepted.</summary>
    public const string DedupKeys = "dedup_keys";

    /// <summary><c>_id</c> is a <see cref="DueKey"/> of the time of death.</summary>
    public const string DeadLetters = "dead_letters";

    /// <summary><c>_id</c> is what is claimed: an instance, or a slot of the bare queue.</summary>
    public const string Claims = "claims";

    /// <summary>The bare queue; <c>_id</c> is a <see cref="DueKey"/>.</summary>
    public const string Messages = "messages";

    /// <summary>In the order in which documents are inserted: locks are taken in one order.</summary>
    public static IReadOnlyList<string> All { get; } = [Store, BusinessKeys, Instances, DedupKeys, Signals, DeadLetters, Claims, Messages];

    /// <summary>Those that turn over within seconds.</summary>
    public static IReadOnlyList<string> Transient { get; } = [Signals, Claims, Messages];
}

using Serdica.Perf.Results.Scrubbing;

namespace Serdica.Perf.Results.Runs;

/// <summary>The database on which one backend was measured.</summary>
public sealed record DatabaseDescription
{
    /// <summary>The <see cref="Source"/> of a backend without a server.</summary>
    public const string InProcess = "in-process";

    /// <summary>The backend's name as in scenario names, for instance <c>postgresql</c>.</summary>
    public required string Backend { get; init; }

    /// <summary>The product, for instance <c>PostgreSQL</c>.</summary>
    public required string Product { get; init; }

    /// <summary>As the server reports it; null when it could not be queried.</summary>
    public string? Version { get; init; }

    /// <summary>Where the server came from: <c>external</c>, <c>containers</c>, <c>local</c> or <c>in-process</c>.</summary>
    public required string Source { get; init; }

    /// <summary>Whether it is no database: the run then measures what engine and harness cost by themselves.</summary>
    [JsonIgnore]
    public bool IsInProcess => Source == InProcess;

    /// <summary>
    /// Whether nothing shows that the server runs on the measuring machine. The processor time that such a server reports is then not
    /// counted as use of this machine's processors.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsElsewhere { get; init; }

    /// <summary>Image and digest of a server in a container.</summary>
    public string? Image { get; init; }

    /// <summary>
    /// The connection string without user and password, whatever is assigned: see <see cref="ConnectionStringRedactor"/>.
    /// </summary>
    public string? Connection
    {
        get;
        init => field = value is null ? null : ConnectionStringRedactor.Redact(value);
    }

    public Durability Durability { get; init; }

    /// <summary>The type of file system of the data directory, for instance <c>ext4</c> or <c>tmpfs</c>; null when unknown.</summary>
    public string? DataFileSystem { get; init; }

    /// <summary>Settings that determine durability, and those that differ from the server's defaults, as read from the server.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();

    /// <summary>What the backend can and cannot do, in words, for instance <c>wake-up: notify</c>.</summary>
    public IReadOnlyList<string> Capabilities { get; init; } = [];
}

/// <summary>What a commit survives, as read back from the server, in ascending order.</summary>
public enum Durability
{
    /// <summary>The server could not be queried.</summary>
    Unknown,

    /// <summary>A crash may lose the data, for instance because it is in memory.</summary>
    NotDurable,

    /// <summary>A power failure may lose the last acknowledged commits; what remains is consistent.</summary>
    LossOnCrash,

    /// <summary>An acknowledged commit survives a power failure.</summary>
    Durable,
}

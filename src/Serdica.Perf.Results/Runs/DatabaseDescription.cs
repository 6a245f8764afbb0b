using System.Text.Json.Serialization;
using Serdica.Perf.Results.Scrubbing;

namespace Serdica.Perf.Results.Runs;

/// <summary>The database that one backend was measured on.</summary>
public sealed record DatabaseDescription
{
    /// <summary>The <see cref="Source"/> of a backend without a server.</summary>
    public const string InProcess = "in-process";

    /// <summary>The backend's name as in scenario names, for instance <c>postgresql</c>.</summary>
    public required string Backend { get; init; }

    /// <summary>For instance <c>PostgreSQL</c>.</summary>
    public required string Product { get; init; }

    /// <summary>As the server tells it; null when it could not be asked.</summary>
    public string? Version { get; init; }

    /// <summary>Where it came from: <c>external</c>, <c>containers</c>, <c>local</c> or <c>in-process</c>.</summary>
    public required string Source { get; init; }

    /// <summary>Whether it is no database, but the measure of what engine and harness cost by themselves.</summary>
    [JsonIgnore]
    public bool IsInProcess => Source == InProcess;

    /// <summary>Image and digest when it ran in a container.</summary>
    public string? Image { get; init; }

    /// <summary>Whatever is set here is kept without user and password: see <see cref="ConnectionStringRedactor"/>.</summary>
    public string? Connection { get; init => field = value is null ? null : ConnectionStringRedactor.Redact(value); }

    public Durability Durability { get; init; }

    /// <summary>The kind of file system below the data directory, for instance <c>ext4</c> or <c>tmpfs</c>; null when unknown.</summary>
    public string? DataFileSystem { get; init; }

    /// <summary>Settings that decide durability, and those that differ from the server's defaults; read from the server.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();

    /// <summary>What the backend can and cannot do, in words, for instance <c>wake-up: notify</c>.</summary>
    public IReadOnlyList<string> Capabilities { get; init; } = [];
}

/// <summary>What a commit survives, as read back from the server; in rising order.</summary>
public enum Durability
{
    /// <summary>The server could not be asked.</summary>
    Unknown,

    /// <summary>After a crash the data may be gone, for instance because it is in memory.</summary>
    NotDurable,

    /// <summary>The last acknowledged commits may be lost with the power; what remains is consistent.</summary>
    LossOnCrash,

    /// <summary>A commit that was acknowledged survives the loss of power.</summary>
    Durable,
}

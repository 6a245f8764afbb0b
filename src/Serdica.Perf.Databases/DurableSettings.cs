namespace Serdica.Perf.Databases;

/// <summary>Without these a PostgreSQL server may lose what it has acknowledged.</summary>
internal static class DurableSettings
{
    /// <summary>What must hold, as read back from the running server.</summary>
    public static IReadOnlyDictionary<string, string> Required { get; } =
        new Dictionary<string, string>
        {
            ["fsync"] = "on",
            ["full_page_writes"] = "on",
            ["synchronous_commit"] = "on",
        };
}

namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>The settings of PostgreSQL servers that the suite starts, wherever it starts them.</summary>
internal static partial class PostgreSqlSettings
{
    /// <summary>Counts statements; its library and its extension have one name.</summary>
    public const string StatementsLibrary = "pg_stat_statements";

    public const string MaxConnections = "max_connections";

    /// <summary>What a server allows where nothing else is asked for.</summary>
    public const int Connections = 100;

    /// <summary>A name, and with a dot that of an extension before it.</summary>
    public const string NamePattern = @"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?";

    private const string PreloadLibraries = "shared_preload_libraries";

    /// <param name="place">How it is reached.</param>
    /// <param name="requested">The user's settings, which override all others.</param>
    /// <exception cref="ArgumentException">One of the requested settings does not exist.</exception>
    public static IReadOnlyDictionary<string, string> Compose(
        PostgreSqlFlavour flavour,
        bool countsStatements,
        IReadOnlyDictionary<string, string> place,
        IReadOnlyDictionary<string, string> requested
    )
    {
        var settings = new Dictionary<string, string>(DurableSettings.Required)
        {
            [MaxConnections] = Connections.ToString(CultureInfo.InvariantCulture),

            // The kernel writes a file back at once and whole when one of its pages has been dirty for 30 s: 300 to 440 MB
            // of new tables, while commits waited up to 200 ms for the disk. Few pages are held back here, and what is
            // written is sent to the disk soon. Neither alone was enough (docs/databases.md).
            ["shared_buffers"] = "128MB",
            ["backend_flush_after"] = "256kB",

            // A checkpoint in the middle of a short run would be noise: the defaults (1 GB, 5 min) force one after a
            // few hundred thousand operations.
            ["max_wal_size"] = "4GB",
            ["checkpoint_timeout"] = "15min",

            // This much may be created before anything is measured (PostgreSqlLogFiles), and is reused.
            ["min_wal_size"] = "3GB",

            // The statements are short; compiling one costs more than running it.
            ["jit"] = "off",
            ["track_io_timing"] = "on",
            ["track_wal_io_timing"] = "on",
        };

        string[] libraries = [.. flavour.PreloadLibraries, .. countsStatements ? [StatementsLibrary] : Array.Empty<string>()];

        if (libraries.Length > 0)
            settings[PreloadLibraries] = string.Join(',', libraries);

        foreach (var (name, value) in place.Concat(flavour.Settings).Concat(requested))
        {
            if (!Name().IsMatch(name) || value.AsSpan().IndexOfAny('\r', '\n') >= 0)
            {
                throw new ArgumentException(
                    $"'{name}' with the value '{value}' is not a PostgreSQL setting: use a name such as work_mem and a value on one line."
                );
            }

            // What the flavour and the statistics need stays loaded beside what the user wants, unless he wants nothing.
            settings[name] =
                name == PreloadLibraries && value.Length > 0 && settings.TryGetValue(name, out var needed)
                    ? string.Join(
                        ',',
                        needed.Split(',').Union(value.Split(',', TrimEntries | RemoveEmptyEntries))
                    )
                    : value;
        }

        return settings;
    }

    [GeneratedRegex("^" + NamePattern + @"\z")]
    private static partial Regex Name();
}

using System.Text;
using System.Text.RegularExpressions;

namespace Serdica.Perf.Databases.Local;

/// <summary>The settings of a throw-away server, written to its configuration file.</summary>
internal static partial class LocalServerSettings
{
    /// <summary>Counts statements; its library and its extension have one name.</summary>
    public const string StatementsLibrary = "pg_stat_statements";

    /// <summary>What must hold, as read back from the running server.</summary>
    public static IReadOnlyDictionary<string, string> Durable { get; } = new Dictionary<string, string>
    {
        ["fsync"] = "on",
        ["full_page_writes"] = "on",
        ["synchronous_commit"] = "on",
    };

    public static string Compose(PostgreSqlFlavour flavour, PostgreSqlBinaries binaries, IReadOnlyDictionary<string, string> requested)
    {
        var settings = new Dictionary<string, string>(Durable)
        {
            // Reachable from this machine only, and over one way only.
            ["listen_addresses"] = "127.0.0.1",
            ["unix_socket_directories"] = "",
            ["max_connections"] = "100",
            ["shared_buffers"] = "256MB",

            // A checkpoint in the middle of a short run would be noise: the defaults (1 GB, 5 min) force one after a
            // few hundred thousand operations.
            ["max_wal_size"] = "4GB",
            ["checkpoint_timeout"] = "15min",

            // The statements are short; compiling one costs more than running it.
            ["jit"] = "off",
            ["track_io_timing"] = "on",
            ["track_wal_io_timing"] = "on",
        };

        List<string> libraries = [.. flavour.PreloadLibraries];

        if (binaries.HasLibrary(StatementsLibrary))
            libraries.Add(StatementsLibrary);

        if (libraries.Count > 0)
            settings["shared_preload_libraries"] = string.Join(',', libraries);

        foreach (var (name, value) in flavour.Settings.Concat(requested))
            settings[name] = value;

        var file = new StringBuilder("# Written by Serdica.Perf for a throw-away server.\n");

        foreach (var (name, value) in settings)
            file.Append(Line(name, value)).Append('\n');

        return file.ToString();
    }

    private static string Line(string name, string value)
    {
        if (!SettingName().IsMatch(name) || value.AsSpan().IndexOfAny('\r', '\n') >= 0)
            throw new ArgumentException($"'{name}' with the value '{value}' is no PostgreSQL setting: use a name such as work_mem and a value on one line.");

        return $"{name} = '{value.Replace(@"\", @"\\", StringComparison.Ordinal).Replace("'", "''", StringComparison.Ordinal)}'";
    }

    [GeneratedRegex(@"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$")]
    private static partial Regex SettingName();
}

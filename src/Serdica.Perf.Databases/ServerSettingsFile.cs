using System.Diagnostics.CodeAnalysis;

namespace Serdica.Perf.Databases;

/// <summary>Settings of a server as <c>postgresql.conf</c> has them: a name and a value on a line, comments behind #.</summary>
internal static partial class ServerSettingsFile
{
    // Where a server is and who reaches it is the suite's affair; and what it includes can't be read here.
    private static readonly string[] Refused =
    [
        "listen_addresses",
        "port",
        "unix_socket_directories",
        "data_directory",
        "config_file",
        "hba_file",
        "ident_file",
        "external_pid_file",
        "include",
        "include_if_exists",
        "include_dir",
    ];

    /// <param name="settings">By name in lower case; the last one counts where a name comes twice, as on the server.</param>
    public static bool TryRead(
        string path,
        [NotNullWhen(true)] out IReadOnlyDictionary<string, string>? settings,
        [NotNullWhen(false)] out string? problem
    )
    {
        settings = null;
        try
        {
            return TryParse(File.ReadAllLines(path), out settings, out problem);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            problem = e is FileNotFoundException or DirectoryNotFoundException
                ? "there is no such file"
                : $"it cannot be read: {e.Message.TrimEnd('.')}";
            return false;
        }
    }

    private static bool TryParse(
        string[] lines,
        [NotNullWhen(true)] out IReadOnlyDictionary<string, string>? settings,
        [NotNullWhen(false)] out string? problem
    )
    {
        var found = new Dictionary<string, string>();
        (settings, problem) = (null, null);
        for (var number = 1; number <= lines.Length; number++)
        {
            if (Nothing().IsMatch(lines[number - 1]))
                continue;

            var match = Setting().Match(lines[number - 1]);
            var name = match.Groups["name"].Value.ToLowerInvariant();
            var value = match.Groups["quoted"].Success
                ? match.Groups["quoted"].Value.Replace("''", "'", Ordinal)
                : match.Groups["bare"].Value;
            problem =
                Refused.Contains(name) ? $"line {number} sets {name}, which the suite decides itself: remove it"
                : !match.Success ? $"line {number} is no setting: use a name and a value, such as work_mem = 64MB"
                : DurableSettings.Required.ContainsKey(name) && !IsOn(value)
                    ? $"line {number} sets {name} to '{value}', and the suite measures only with on: remove it"
                : null;
            if (problem is not null)
                return false;
            found[name] = value;
        }

        settings = found;
        return true;
    }

    /// <summary>In one of the words that the server takes for it.</summary>
    private static bool IsOn(string value) => value.ToLowerInvariant() is "on" or "true" or "yes" or "1";

    [GeneratedRegex(@"^\s*(#.*)?\z")]
    private static partial Regex Nothing();

    [GeneratedRegex(
        @"^\s*(?<name>" + PostgreSqlSettings.NamePattern + @")(\s*=\s*|\s+)('(?<quoted>([^']|'')*)'|(?<bare>[^\s'#]+))\s*(#.*)?\z"
    )]
    private static partial Regex Setting();
}

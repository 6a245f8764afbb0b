namespace Serdica.Perf.Databases.Local;

/// <summary>The settings of a throw-away server as the text of its configuration file.</summary>
internal static class LocalServerSettings
{
    // Reachable from this machine only, and over one way only.
    private static readonly Dictionary<string, string> Place = new()
    {
        ["listen_addresses"] = "127.0.0.1",
        ["unix_socket_directories"] = "",
    };

    public static string Compose(PostgreSqlFlavour flavour, PostgreSqlBinaries binaries, IReadOnlyDictionary<string, string> requested)
    {
        var settings = PostgreSqlSettings.Compose(flavour, binaries.HasLibrary(PostgreSqlSettings.StatementsLibrary), Place, requested);
        var file = new StringBuilder("# Written by Serdica.Perf for a throw-away server.\n");

        foreach (var (name, value) in settings)
            file.Append(
                $"{name} = '{value.Replace(@"\", @"\\", Ordinal).Replace("'", "''", Ordinal)}'\n"
            );

        return file.ToString();
    }
}

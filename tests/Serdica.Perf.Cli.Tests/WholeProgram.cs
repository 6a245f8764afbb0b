namespace Serdica.Perf.Cli.Tests;

/// <summary>Runs the program as a process of its own, which a signal may end.</summary>
internal static class WholeProgram
{
    public static Process Start(DatabaseServer server, params string[] arguments)
    {
        var start = new ProcessStartInfo(MeasuringProgram.DotNet, ["exec", MeasuringProgram.Here.Assembly, .. arguments])
        {
            RedirectStandardOutput = true,
        };
        start.Environment["SERDICA_PERF_POSTGRESQL"] = server.ConnectionString;
        return Process.Start(start)!;
    }

    /// <param name="script">Has the command line as its arguments.</param>
    public static Task<(int ExitCode, string Output, string Error)> ShellAsync(string script, params string[] arguments) =>
        ChildProcess.RunAsync(
            "/bin/sh",
            ["-c", script, "sh", MeasuringProgram.DotNet, "exec", MeasuringProgram.Here.Assembly, .. arguments],
            "/",
            new Dictionary<string, string>(),
            Token
        );

    public static async Task SignalAsync(this Process process, string signal)
    {
        using var kill = Process.Start("kill", [$"-{signal}", process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync(Token);
    }

    /// <summary>How many stores of runs there are on a server.</summary>
    public static async Task<int> StoresAsync(DatabaseServer server) => (await SchemasAsync(server)).Count;

    /// <summary>The schemas whose names begin like this.</summary>
    public static async Task<List<string>> SchemasAsync(DatabaseServer server, string prefix = "serdica_perf_")
    {
        await using var source = NpgsqlDataSource.Create(server.ConnectionString);
        await using var command = source.CreateCommand($"select nspname from pg_namespace where nspname like '{prefix}%'");
        await using var reader = await command.ExecuteReaderAsync(Token);
        var schemas = new List<string>();
        while (await reader.ReadAsync(Token))
            schemas.Add(reader.GetString(0));
        return schemas;
    }
}

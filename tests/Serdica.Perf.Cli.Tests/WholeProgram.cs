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

    public static async Task SignalAsync(this Process process, string signal)
    {
        using var kill = Process.Start("kill", [$"-{signal}", process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync(Token);
    }

    /// <summary>How many stores of runs there are on a server.</summary>
    public static async Task<long> StoresAsync(DatabaseServer server)
    {
        await using var source = NpgsqlDataSource.Create(server.ConnectionString);
        await using var command = source.CreateCommand("select count(*) from pg_namespace where nspname like 'serdica_perf_%'");
        return (long)(await command.ExecuteScalarAsync(Token))!;
    }
}

using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging.Abstractions;
using Npgsql;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.PostgreSql;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Runs;

#!/usr/bin/env dotnet
#:property PublishAot=false
#:project ../src/Serdica.Perf.Databases/Serdica.Perf.Databases.csproj
#:project ../src/Serdica.Perf.Results/Serdica.Perf.Results.csproj

// Reports how fast this machine is without an engine, and the engine's throughput relative to that: pgbench with the three
// single-row commits of a round trip (eng/floor.sql) and the round trip of `serdica-perf run`, in turn on one PostgreSQL
// (floor, engine, engine, floor), for each number of callers, after a short run of the engine that shows how many
// operations to give it. Two machines differ in both figures; what they have in common is the ratio. pgbench opens a
// connection for each caller, 64 at most.
//
//   dotnet run eng/floor.cs [-- --callers 1,16,64,256] [--blocks 3] [--seconds 5] [--output DIR]
//
// --callers   numbers of callers to measure
// --blocks    how many times the four measurements of each number of callers are repeated
// --seconds   duration of pgbench; the engine runs for about as long
// --output    parent of the folder with the runs and floor.md; default TestResults/workflow-performance
//
// Exit codes: 0 measured; 1 a measurement failed, and earlier results stay in the folder; 2 an argument is invalid;
// 4 PostgreSQL or pgbench is not available.

using static System.FormattableString;

var root = Path.GetDirectoryName((string)AppContext.GetData("EntryPointFileDirectoryPath")!)!;
if (FloorOptions.Parse(args, root, out var problem) is not { } options)
{
    Console.WriteLine(problem);
    return 2;
}

if (PostgreSqlServers.FindProgram("pgbench") is not { } program)
{
    Console.WriteLine(
        "There is no pgbench on PATH or where PostgreSQL is installed: install PostgreSQL's server or contrib package, which brings it.");
    return 4;
}

if (!DatabaseEnvironment.Current.TryReadRequest(DatabaseEnvironment.PostgreSql, out var request, out problem))
{
    Console.WriteLine(problem);
    return 4;
}

var project = Path.Combine(root, "src", "Serdica.Perf.Cli");
if ((await Child.RunAsync("dotnet", ["build", project, "-c", "Release", "-v", "quiet", "--nologo"], [])) is { ExitCode: not 0 } failed)
{
    Console.WriteLine($"{Path.GetFileName(project)} does not build: {failed.Output}");
    return 1;
}

var stop = new CancellationTokenSource();
Console.CancelKeyPress += (_, e) => { e.Cancel = true; stop.Cancel(); };
try
{
    var outcome = await PostgreSqlServers.ProvisionAsync(request, NullLogger.Instance, stop.Token);
    if (outcome is not ProvisionOutcome.Provisioned { Server: var server })
    {
        Console.WriteLine(((ProvisionOutcome.Unavailable)outcome).Reason);
        return 4;
    }

    await using (server)
    {
        await PostgreSqlLogFiles.MakeAheadAsync(server, expectedBytes: null, NullLogger.Instance, stop.Token);
        var report = new FloorReport(options);
        var measurement = new FloorMeasurement(options, server, program, Path.Combine(project, "bin", "Release", "net10.0", "serdica-perf.dll"));
        try
        {
            await measurement.MeasureAsync(report, stop.Token);
        }
        finally
        {
            report.Write(server.Description, measurement.Engine);
        }

        Console.WriteLine(report.Table());
        Console.WriteLine($"Folder: {Path.GetRelativePath(Directory.GetCurrentDirectory(), options.Folder)}");
    }

    return 0;
}
catch (Exception e) when (e is FloorException or DatabaseStartException or NpgsqlException or BaselineException)
{
    Console.WriteLine(e.Message);
    return 1;
}
catch (OperationCanceledException)
{
    Console.WriteLine($"Stopped by the user before its end. What was measured is in {options.Folder}.");
    return 130;
}

/// <summary>Round trips a second, and bytes of the log for each: of raw statements (the floor), or of the engine.</summary>
internal readonly record struct RoundTrips(double PerSecond, double? WalBytes);

internal sealed record Measured(int Callers, int Block, bool IsFloor, RoundTrips RoundTrips, DateTimeOffset At, string LoadAverage);

/// <summary>The measurement cannot continue.</summary>
internal sealed class FloorException(string message) : Exception(message);

internal sealed record FloorOptions(IReadOnlyList<int> Callers, int Blocks, int Seconds, string Folder)
{
    private const int MostCallers = 1_024;

    /// <returns>Null with a sentence in <paramref name="problem"/>.</returns>
    public static FloorOptions? Parse(string[] args, string root, out string problem)
    {
        var (callers, blocks, seconds, output) = ("1,16,64,256", "3", "5", Path.Combine(root, "TestResults", "workflow-performance"));
        problem = "";
        for (var i = 0; i < args.Length; i += 2)
        {
            var value = i + 1 < args.Length ? args[i + 1] : "";
            switch (args[i])
            {
                case "--callers": callers = value; break;
                case "--blocks": blocks = value; break;
                case "--seconds": seconds = value; break;
                case "--output": output = value; break;
                default: problem = $"'{args[i]}' is not an option: there are --callers, --blocks, --seconds and --output."; return null;
            }
        }

        var counts = callers.Split(',').Select(text => Number(text, MostCallers)).ToArray();
        if (Array.Exists(counts, count => count is null))
            problem = $"--callers is '{callers}': give comma-separated numbers from 1 to {MostCallers}.";
        else if (Number(blocks, 100) is null)
            problem = $"--blocks is '{blocks}': give a number from 1 to 100.";
        else if (Number(seconds, 600) is null)
            problem = $"--seconds is '{seconds}': give a number from 1 to 600.";
        else if (output.Length == 0)
            problem = "--output has no value: give a folder.";

        var name = Invariant($"{DateTimeOffset.UtcNow:yyyyMMdd'T'HHmmss'Z'}-postgresql-floor");
        return problem.Length > 0 ? null
            : new([.. counts.Select(count => count!.Value)], Number(blocks, 100)!.Value, Number(seconds, 600)!.Value, Path.Combine(Path.GetFullPath(output), name));
    }

    private static int? Number(string text, int most) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= 1 && number <= most ? number : null;
}

/// <summary>Measures floor and engine in turn.</summary>
internal sealed class FloorMeasurement(FloorOptions options, DatabaseServer server, string pgBench, string assembly)
{
    // A name of its own: the server may be the user's.
    private readonly string _schema = $"serdica_perf_floor_{Guid.NewGuid():N}";

    private const string LogPosition = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')";

    // Fewer than a server accepts by default; more do not raise the rate of raw statements on two cores.
    private const int MostConnections = 64;

    // For a first run that only shows the engine's speed: it is over within a second, most of which is its start.
    private const int FirstOperations = 2_000;

    /// <summary>Machine and commit as the engine's runs name them; null before the first.</summary>
    public string? Engine { get; private set; }

    public async Task MeasureAsync(FloorReport report, CancellationToken cancellationToken)
    {
        try
        {
            foreach (var callers in options.Callers)
            {
                var operations = Operations(await EngineAsync(callers, Math.Max(FirstOperations, callers * 16), cancellationToken));
                for (var block = 1; block <= options.Blocks; block++)
                {
                    foreach (var isFloor in (bool[])[true, false, false, true])
                    {
                        var roundTrips = isFloor
                            ? await FloorAsync(callers, cancellationToken)
                            : await EngineAsync(callers, operations, cancellationToken);
                        report.Add(callers, block, isFloor, roundTrips);
                        if (!isFloor)
                            operations = Math.Max(operations, Operations(roundTrips));
                    }
                }
            }
        }
        finally
        {
            await ExecuteAsync($"drop schema if exists {_schema} cascade", CancellationToken.None);
        }
    }

    /// <summary>Enough for the engine to be at it for about the given time at this speed.</summary>
    private int Operations(RoundTrips roundTrips) => (int)(roundTrips.PerSecond * options.Seconds);

    private async Task<RoundTrips> FloorAsync(int callers, CancellationToken cancellationToken)
    {
        await ExecuteAsync(
            $"""
            drop schema if exists {_schema} cascade;
            create schema {_schema};
            create table {_schema}.instance (id bigint primary key, version int not null, state text not null) with (fillfactor = 50);
            create table {_schema}.signal (instance_id bigint primary key, payload text not null);
            """,
            cancellationToken);
        var settings = new NpgsqlConnectionStringBuilder(server.ConnectionString);
        var logBefore = await ReadAsync<decimal>(LogPosition, cancellationToken);
        var (exitCode, output) = await Child.RunAsync(
            pgBench,
            [
                "-n", "-M", "prepared", "-D", "n=0", "-f", Path.Combine((string)AppContext.GetData("EntryPointFileDirectoryPath")!, "floor.sql"),
                "-c", Invariant($"{Math.Min(callers, MostConnections)}"), "-T", Invariant($"{options.Seconds}"),
            ],
            new()
            {
                ["PGHOST"] = settings.Host, ["PGPORT"] = Invariant($"{settings.Port}"), ["PGUSER"] = settings.Username,
                ["PGPASSWORD"] = settings.Password, ["PGDATABASE"] = settings.Database ?? settings.Username,
                ["PGOPTIONS"] = $"-c search_path={_schema}",
            },
            cancellationToken);
        var rate = output.Split('\n').FirstOrDefault(line => line.StartsWith("tps = ", StringComparison.Ordinal))?.Split(' ')[2];
        var done = output.Split('\n').FirstOrDefault(line => line.StartsWith("number of transactions actually processed: ", StringComparison.Ordinal))?.Split(' ')[5].Split('/')[0];
        if (exitCode != 0 || rate is null || done is null)
            throw new FloorException($"pgbench with {callers} callers ended with exit code {exitCode}: {output.Trim()}");
        var logAfter = await ReadAsync<decimal>(LogPosition, cancellationToken);
        var rows = await ReadAsync<long>(
            $"select count(*) - (select count(*) from {_schema}.signal) from {_schema}.instance where version = 1", cancellationToken);
        if (Invariant($"{rows}") != done)
            throw new FloorException($"pgbench reports {done} round trips, and the database has {rows} completed instances.");
        return new(double.Parse(rate, CultureInfo.InvariantCulture), (double)(logAfter - logBefore) / rows);
    }

    private async Task<RoundTrips> EngineAsync(int callers, int operations, CancellationToken cancellationToken)
    {
        var output = Path.Combine(options.Folder, "runs");
        var before = Directory.Exists(output) ? Directory.GetDirectories(output) : [];
        var (exitCode, text) = await Child.RunAsync(
            "dotnet",
            [
                "exec", assembly, "run", "--backend", "postgresql", "--scenario", "signal-roundtrip-throughput-parallel", "--load", "closed",
                "--workers", "2", "--no-overhead", "--concurrency", Invariant($"{callers}"), "--operations", Invariant($"{operations}"), "--output", output,
            ],
            DatabaseEnvironment.HandOver(DatabaseEnvironment.PostgreSql, server).ToDictionary(variable => variable.Key, string? (variable) => variable.Value),
            cancellationToken);
        if (exitCode != 0)
            throw new FloorException($"'serdica-perf run' with {callers} callers ended with exit code {exitCode}: {text.Trim()}");
        var run = BaselineReader.Read(Directory.GetDirectories(output).Except(before).Single());
        Engine ??= Words(run.Environment);
        return new(run.Scenarios[0].ThroughputPerSecond!.Value, run.Scenarios[0].CostPerOperation.GetValueOrDefault(MetricNames.WalBytes)?.Value);
    }

    private static string Words(EnvironmentFingerprint environment) =>
        $"{environment.Machine.MachineName}; {(environment.Source.Commit is { } commit ? $"commit {commit[..12]}" : "unknown commit")}{(environment.Source.Dirty == true ? " with changes" : "")}";

    private async Task<T> ReadAsync<T>(string query, CancellationToken cancellationToken)
    {
        await using var connection = await OpenAsync(cancellationToken);
        await using var command = new NpgsqlCommand(query, connection);
        return (T)(await command.ExecuteScalarAsync(cancellationToken))!;
    }

    private async Task ExecuteAsync(string statements, CancellationToken cancellationToken)
    {
        await using var connection = await OpenAsync(cancellationToken);
        await using var command = new NpgsqlCommand(statements, connection);
        await command.ExecuteNonQueryAsync(cancellationToken);
    }

    private async Task<NpgsqlConnection> OpenAsync(CancellationToken cancellationToken)
    {
        var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(server.ConnectionString) { Pooling = false }.ConnectionString);
        await connection.OpenAsync(cancellationToken);
        return connection;
    }
}

/// <summary>What was measured, in its order, and what follows.</summary>
internal sealed class FloorReport(FloorOptions options)
{
    private readonly List<Measured> _figures = [];

    public void Add(int callers, int block, bool isFloor, RoundTrips roundTrips)
    {
        _figures.Add(new(callers, block, isFloor, roundTrips, DateTimeOffset.UtcNow, LoadAverage()));
        Console.WriteLine(Invariant($"{callers} callers, block {block} of {options.Blocks}, {Side(isFloor)}: {roundTrips.PerSecond:N0}/s"));
    }

    public string Table() => string.Join('\n', (string[])
    [
        "| Callers | Floor/s, median (lowest to highest) | Engine/s, median (lowest to highest) | Engine over floor, "
            + "median of blocks (lowest to highest) | WAL of the floor, bytes | WAL of the engine, bytes |",
        "|---:|---:|---:|---:|---:|---:|",
        .. options.Callers.Where(callers => Blocks(callers).Any()).Select(Row),
    ]);

    public void Write(ServerDescription server, string? engine)
    {
        Directory.CreateDirectory(options.Folder);
        File.WriteAllText(
            Path.Combine(options.Folder, "floor.md"),
            $"""
            # The floor of a machine

            {server.Product} {server.Version} ({server.Source.ToString().ToLowerInvariant()}), {string.Join(", ", server.DurabilitySettings.Select(setting => $"{setting.Key} {setting.Value}"))}; {engine ?? "no run of the engine has ended"}.
            Floor: pgbench with the three single-row commits of a round trip (`eng/floor.sql`) over a connection for each caller, 64 at most, no engine. Engine: `serdica-perf run` with 2 workers and a closed load. In turn on one server: floor, engine, engine, floor; the ratio of a block is that of the two means. WAL: of one round trip, median.

            {Table()}

            Everything that was measured, in its order:

            | Callers | Block | What | Round trips/s | WAL bytes each | At, UTC | Load average after it |
            |---:|---:|---|---:|---:|---|---:|
            {string.Join('\n', _figures.Select(figure => Invariant($"| {figure.Callers} | {figure.Block} | {Side(figure.IsFloor)} | {figure.RoundTrips.PerSecond:N0} | {figure.RoundTrips.WalBytes:N0} | {figure.At:HH:mm:ss} | {figure.LoadAverage} |")))}

            """);
    }

    private static string Side(bool isFloor) => isFloor ? "floor" : "engine";

    private string Row(int callers) =>
        Invariant($"| {callers} | {Words(Figures(callers, isFloor: true), "N0")} | {Words(Figures(callers, isFloor: false), "N0")} | ")
            + Invariant($"{Words(Blocks(callers), "N2")} | {WalBytes(callers, isFloor: true):N0} | {WalBytes(callers, isFloor: false):N0} |");

    private double? WalBytes(int callers, bool isFloor) => Spread.Of(_figures
        .Where(figure => figure.Callers == callers && figure.IsFloor == isFloor)
        .Select(figure => figure.RoundTrips.WalBytes))?.Median;

    private IEnumerable<double> Figures(int callers, bool isFloor) =>
        _figures.Where(figure => figure.Callers == callers && figure.IsFloor == isFloor).Select(figure => figure.RoundTrips.PerSecond);

    /// <summary>The ratio of each block that was measured whole.</summary>
    private IEnumerable<double> Blocks(int callers) => _figures
        .Where(figure => figure.Callers == callers)
        .GroupBy(figure => figure.Block)
        .Where(block => block.Count() == 4)
        .Select(block => block.Where(figure => !figure.IsFloor).Average(figure => figure.RoundTrips.PerSecond) / block.Where(figure => figure.IsFloor).Average(figure => figure.RoundTrips.PerSecond));

    private static string Words(IEnumerable<double> values, string format)
    {
        var spread = Spread.Of(values.Select(value => (double?)value))!;
        return $"{Text(spread.Median)} ({Text(spread.Min)} to {Text(spread.Max)})";

        string Text(double value) => value.ToString(format, CultureInfo.InvariantCulture);
    }

    private static string LoadAverage() => File.Exists("/proc/loadavg") ? File.ReadAllText("/proc/loadavg").Split(' ')[0] : "not known";
}

internal static class Child
{
    /// <summary>Runs a program to its end; a cancelled one is killed with all that it has started.</summary>
    public static async Task<(int ExitCode, string Output)> RunAsync(
        string program, IReadOnlyList<string> arguments, Dictionary<string, string?> environment, CancellationToken cancellationToken = default)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        var error = process.StandardError.ReadToEndAsync(CancellationToken.None);
        try
        {
            await process.WaitForExitAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw;
        }

        return (process.ExitCode, await output + await error);
    }
}

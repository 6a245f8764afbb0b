using Serdica.Perf.Analysis.Floors;
using Serdica.Perf.Cli.Floors;
using Serdica.Perf.Databases.PostgreSql.Installed;

namespace Serdica.Perf.Cli.Tests;

public sealed class FloorCommandTests : CliTests
{
    [Fact]
    public void Without_options_all_numbers_of_callers_are_measured()
    {
        var command = new Command("floor");
        var options = new FloorOptionSet(command);

        var request = options.Read(command.Parse([]));

        Assert.Equal([1, 16, 64, 256], request.Callers);
        Assert.Equal((3, FromSeconds(5)), (request.Blocks, request.Duration));
        Assert.Equal([4, 2], options.Read(command.Parse(["--callers", "4,2"])).Callers);
    }

    [Fact]
    public async Task One_block_on_a_server_of_its_own_has_both_sides_and_their_ratio()
    {
        SkipWithoutPgBench();

        var exitCode = await Cli.MeasureInThisProcessAsync("floor --callers 2 --blocks 1 --duration 1s --source local");

        Cli.SkipWithoutPostgreSql(exitCode);
        Assert.Equal((ExitCodes.Success, ""), (exitCode, Cli.Error));
        var result = Result();
        Assert.Equal((RunStatus.Passed, null), (result.Status, result.StatusReason));
        Assert.Equal(FloorFigure.Order, result.Figures.Select(figure => figure.Side));
        Assert.All(result.Figures, figure =>
            Assert.True(figure is { PerSecond: > 0, WalBytes: > 100, Callers: 2, Block: 1 }, figure.ToString())
        );
        var level = Assert.Single(result.Levels);
        Assert.Equal(
            result.Figures.Sum(figure => figure.Side == FloorSide.Engine ? figure.PerSecond : 0)
                / result.Figures.Sum(figure => figure.Side == FloorSide.Floor ? figure.PerSecond : 0),
            level.Ratio.Median,
            precision: 9
        );
        Assert.Equal(("PostgreSQL", "local"), (result.Database!.Product, result.Database.Source));
        Assert.NotNull(result.Environment);
        Assert.Contains("Starting PostgreSQL ", Cli.Output);
        Assert.Matches(@"2 callers, block 1 of 1, floor: .*/s, after \d", Cli.Output);
        Assert.Contains("Engine over floor", Cli.Written(FloorFolder.ReportFile));

        // Each figure of the engine is that of a run which is kept.
        foreach (var figure in result.Figures.Where(figure => figure.Side == FloorSide.Engine))
        {
            var run = BaselineReader.Read(Cli.PathOf(figure.Folder!));
            Assert.Equal(figure.PerSecond, run.Scenarios[0].ThroughputPerSecond);
            Assert.Equal((2, 2), (run.Scenarios[0].Parameters.Concurrency, run.Scenarios[0].Parameters.Workers));
            Assert.Equal(LoadModel.Closed, run.Scenarios[0].Parameters.Load);
            var warmUp = run.Scenarios[0].WarmUp!;
            Assert.True(warmUp.End == WarmUpEnd.TimeLimit || warmUp.Operations == run.Scenarios[0].Parameters.Operations, $"{warmUp}");
        }
    }

    [Theory]
    [InlineData(2.9, "--warmup", "7")]
    [InlineData(3)]
    public void Warm_up_has_the_operations_of_a_measurement_that_is_shorter_than_it(double seconds, params string[] options) =>
        Assert.Equal(options, FloorSession.WarmUp(FromSeconds(seconds), 7));

    [Theory]
    [InlineData(5, 100.5, 502)]
    [InlineData(1, 0.2, 1)]
    public void Engine_has_the_operations_of_the_duration_at_its_speed(double seconds, double perSecond, int operations) =>
        Assert.Equal(operations, FloorSession.Operations(FromSeconds(seconds), perSecond));

    /// <summary>As on a full disk.</summary>
    [Fact]
    public void File_that_cannot_be_written_stays_as_it_was()
    {
        var folder = FloorFolder.Create(Cli.Folder, Empty);
        Directory.CreateDirectory(Path.Combine(folder.Path, $"{FloorFolder.ResultFile}.tmp"));

        Assert.ThrowsAny<UnauthorizedAccessException>(() => folder.Update(result => result with { Status = RunStatus.Passed }));

        Assert.Equal(RunStatus.Aborted, Result().Status);
    }

    [Fact]
    public async Task Raw_sql_leaves_no_schema_behind()
    {
        SkipWithoutPgBench();
        await using var server = await LocalServer.StartOrSkipAsync();
        var script = FloorFolder.Create(Cli.Folder, Empty).WriteScript();
        await using (var floor = new PgBench(PgBenchFile!, server.ConnectionString, script))
        {
            var (perSecond, walBytes) = await floor.MeasureAsync(callers: 1, FromSeconds(1), Token);
            Assert.True(perSecond > 0);

            // Three rows and three commits: some hundred bytes each, and now and then a page.
            Assert.InRange(walBytes, 200, 20_000);
            Assert.NotEmpty(await WholeProgram.SchemasAsync(server, "serdica_perf_floor"));
        }

        Assert.Empty(await WholeProgram.SchemasAsync(server, "serdica_perf_floor"));
    }

    [Fact]
    public async Task Password_goes_to_pgbench_through_the_environment_and_into_no_error_and_connections_are_limited()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("The program is a shell script.");
            return;
        }

        await using var server = await LocalServer.StartOrSkipAsync();
        var program = Path.Combine(Cli.Folder, "pgbench");
        await File.WriteAllTextAsync(
            program,
            $"#!/bin/sh\nenv > '{Cli.Folder}/environment'\necho \"$@\" >> '{Cli.Folder}/arguments'\n"
                + "echo \"Host=a;Password=$PGPASSWORD;Database=b\" >&2\nexit 1\n",
            Token
        );
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        var settings = new Npgsql.NpgsqlConnectionStringBuilder(server.ConnectionString);
        await using var floor = new PgBench(program, server.ConnectionString, Path.Combine(Cli.Folder, "floor.sql"));

        var error = await Assert.ThrowsAsync<MeasuringException>(() => floor.MeasureAsync(callers: 1, FromSeconds(1), Token));

        await Assert.ThrowsAsync<MeasuringException>(() => floor.MeasureAsync(callers: 256, FromSeconds(1), Token));

        Assert.Collection(
            await File.ReadAllLinesAsync($"{Cli.Folder}/arguments", Token),
            first => Assert.Contains(" --client 1 ", first),
            second => Assert.Contains(" --client 64 ", second)
        );
        Assert.Contains("with 1 caller ended with exit code 1", error.Message);
        Assert.DoesNotContain(settings.Password!, error.Message);
        var environment = await File.ReadAllLinesAsync($"{Cli.Folder}/environment", Token);
        Assert.Subset(
            environment.ToHashSet(),
            new HashSet<string> { $"PGPASSWORD={settings.Password}", $"PGPORT={settings.Port}", $"PGUSER={settings.Username}", "LC_ALL=C" }
        );
    }

    [Fact]
    public async Task Without_pgbench_nothing_is_measured_and_the_error_says_what_to_install()
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var command = new FloorCommand(output, error, new(_ => null), TimeProvider.System, MeasuringProgram.Here, _ => null).Command;

        var exitCode = await new RootCommand { command }
            .Parse(["floor", "--output", Cli.Folder])
            .InvokeAsync(cancellationToken: Token);

        Assert.Equal(ExitCodes.BackendUnavailable, exitCode);
        Assert.Contains("There is no pgbench on PATH", error.ToString());
        Assert.Contains("apt-get install postgresql", error.ToString());
        Assert.Empty(Directory.GetDirectories(Cli.Folder));
    }

    [Fact]
    public async Task A_server_that_is_not_there_is_named_and_the_folder_says_failed()
    {
        SkipWithoutPgBench();
        Cli.Variables[DatabaseEnvironment.ConnectionStringVariable(DatabaseEnvironment.PostgreSql)] =
            "Host=127.0.0.1;Port=1;Username=u;Password=hidden;Timeout=2";

        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.RunAsync("floor", "--callers", "1", "--output", Cli.Folder));

        Assert.Contains("postgresql is not available: ", Cli.Error);
        Assert.DoesNotContain("hidden", Cli.Error + Cli.Output);
        Assert.Equal(RunStatus.Failed, Result().Status);
    }

    [Fact]
    public async Task The_reason_and_the_folder_are_told_where_server_and_files_are_lost_at_the_end()
    {
        SkipWithoutPgBench();
        await using var server = await ServeAsync();
        var underWay = RunStatus.Passed;
        Cli.Measuring = async (_, _, _) =>
        {
            underWay = Result().Status;
            await server.DisposeAsync();
            Directory.CreateDirectory(Cli.PathOf($"{FloorFolder.ReportFile}.tmp"));
            return (ExitCodes.Failed, "", "The engine broke.");
        };

        Assert.Equal(ExitCodes.Failed, await Cli.MeasureInThisProcessAsync("floor --callers 1 --blocks 1"));

        Assert.Contains("The engine broke.", Cli.Error);
        Assert.Equal(RunStatus.Aborted, underWay);
        Assert.Contains("could not be dropped; drop it yourself.", Cli.Output);
        Assert.Contains("Folder: ", Cli.Output);
    }

    [Fact]
    public void Two_that_begin_in_the_same_second_get_a_folder_each()
    {
        var folders = new string[16];

        Parallel.For(0, folders.Length, index => folders[index] = FloorFolder.Create(Cli.Folder, Empty).Path);

        Assert.Equal(folders.Length, folders.Distinct().Count());
    }

    [Theory]
    [InlineData("--callers is '0'; it must be comma-separated whole numbers from 1 to 1,024, each given once.", "--callers", "0")]
    [InlineData("--callers is '1,1'; it must be", "--callers", "1,1")]
    [InlineData("--callers is '1,a'; it must be", "--callers", "1,a")]
    [InlineData("--blocks is '0'; it must be a whole number from 1 to 100.", "--blocks", "0")]
    [InlineData("--duration is the time of one measurement, 10m at most", "--duration", "11m")]
    [InlineData("There is no option '--seconds'; 'floor' has --callers", "--seconds", "5")]
    public async Task An_invalid_value_is_answered_with_a_sentence(string sentence, params string[] arguments)
    {
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync(["floor", .. arguments, "--output", Cli.Folder]));

        Assert.Contains(sentence, Cli.Error);
        Assert.Empty(Directory.GetDirectories(Cli.Folder));
    }

    [Theory]
    [InlineData(
        "number of transactions actually processed: 7230\nlatency average = 0.6 ms\ntps = 1446.051 (without initial connection time)\n",
        1446.051,
        7230
    )]
    [InlineData(
        "number of transactions actually processed: 7230/7230\ntps = 1446.051 (including connections establishing)\n",
        1446.051,
        7230
    )]
    public void The_output_of_pgbench_is_read(string output, double perSecond, long roundTrips) =>
        Assert.Equal((perSecond, roundTrips), PgBench.Read(output));

    [Theory]
    [InlineData("")]
    [InlineData("tps = 1446.051 (without initial connection time)\n")]
    [InlineData("number of transactions actually processed: many\ntps = 1 (x)\n")]
    public void An_output_without_both_figures_has_none(string output) => Assert.Null(PgBench.Read(output));

    [Theory]
    [InlineData(100, 99)]
    [InlineData(0, 0)]
    public void A_rate_that_the_rows_do_not_confirm_is_refused(long reported, long rows)
    {
        var error = Assert.Throws<MeasuringException>(() => PgBench.Check(reported, rows));

        Assert.Equal(ExitCodes.Failed, error.ExitCode);
        Assert.Contains($"pgbench reports {reported} round trips, and the database has {rows} completed instances", error.Message);
    }

    private static FloorResult Empty =>
        new()
        {
            Status = RunStatus.Aborted,
            StartedAt = DateTimeOffset.UnixEpoch,
            Command = "serdica-perf floor",
        };

    private static string? PgBenchFile => PostgreSqlBinarySearch.OnThisMachine().FindProgram("pgbench");

    private static void SkipWithoutPgBench()
    {
        if (PgBenchFile is null)
            Cli.SkipWithoutPostgreSql("There is no pgbench on this machine.");
    }

    private FloorResult Result() => Cli.Read<FloorResult>(FloorFolder.ResultFile);
}

namespace Serdica.Perf.Cli.Tests;

public sealed class AbCommandTests : CliTests
{
    /// <summary>Sixteen processes: few operations, so that starting them is nearly all they do.</summary>
    internal static readonly string[] Small = ["--backend", "in-memory", "--operations", "100", "--warmup", "10", "--blocks", "4"];

    /// <summary>One operation after the other: with a step that sleeps a second, longer than a signal needs on any machine.</summary>
    private static readonly string[] Long = ["--scenario", "signal-roundtrip-latency-serial", .. Small];

    [Fact]
    public async Task A_cancelled_comparison_stops_its_measurement_and_says_aborted()
    {
        using var cancel = new CancellationTokenSource();

        // After the first side: the second one is measured then, in a process that lasts much longer than this test.
        Cli.OnLine = line =>
        {
            if (line.StartsWith("block 1 of 4, base"))
                cancel.Cancel();
        };
        var exitCode = await Cli.RunAsync(
            cancel.Token,
            ["ab", "--base", "here", "--candidate", "--step-delay 1s", .. Long, "--output", Cli.Folder]
        );

        Assert.Equal(ExitCodes.Cancelled, exitCode);
        Assert.Contains("Stopped by the user; there is no verdict.", Cli.Output);
        Assert.Equal("aborted", Status(Cli));
        Assert.False(File.Exists(Cli.PathOf(AbFolder.ResultFile)));
    }

    [Fact]
    public async Task A_candidate_that_fails_ends_the_comparison_with_a_sentence_and_its_folder_says_failed()
    {
        using var own = new Cli();

        // It builds nothing: the scenarios are those of these tests, which are built already.
        var project = Path.Combine(own.Folder, "own.csproj");
        await File.WriteAllTextAsync(
            project,
            $"""
            <Project>
              <PropertyGroup><TargetPath>{typeof(OtherInTheSecondRun).Assembly.Location}</TargetPath></PropertyGroup>
              <Target Name="Restore" />
              <Target Name="Build" />
            </Project>
            """,
            Token
        );

        var exitCode = await Cli.MeasureAsync(
            "ab --backend in-memory --warmup 0 --blocks 4",
            "--project",
            project,
            "--base",
            "--operations 3",
            "--candidate",
            "--operations 6",
            "--scenario",
            OtherInTheSecondRun.WrongBeyondThree.Name
        );

        Assert.True(exitCode == ExitCodes.Failed, $"Exit code {exitCode}: {Cli.Error}{Cli.Output}");
        Assert.StartsWith("The candidate could not be measured, so there is nothing to compare. The run did not pass: ", Cli.Error);
        Assert.Equal("failed", Status(Cli));
        Assert.Contains("block 1 of 4, base: in-memory-wrong-beyond-three", Cli.Output);
        Assert.False(File.Exists(Cli.PathOf(AbFolder.ResultFile)));
    }

    /// <summary>The candidate has half the rate of the base, in its first run too where that is not said to have another.</summary>
    [Theory]
    [InlineData(1_000, true, """{ "objectives": [{ "metric": "throughput", "least": 900 }] }""")]
    [InlineData(500, true, """{ "relative": [{ "metric": "throughput", "worseBy": 0.1 }] }""")]
    [InlineData(
        500,
        false,
        """{ "relative": [{ "metric": "throughput", "worseBy": 0.1 }], "metrics": { "throughput": { "noiseFloor": 1.5 } } }"""
    )]
    public async Task Gate_judges_all_runs_of_the_candidate_by_its_own_settings(double firstRate, bool isBreach, string gate)
    {
        var run = BaselineReader.Read((await Cli.MakeRunsAsync(slower: 1)).Before);
        var candidates = 0;
        AbRun Run(AbSide side, int index)
        {
            var rate =
                side == AbSide.Base ? 1_000
                : candidates++ == 0 ? firstRate
                : 500;
            var scenario = run.Scenarios[0] with { DurationMs = 1_000_000 / rate * (1 + 0.001 * index) };
            return new(side, "run", run with { Scenarios = [scenario] });
        }
        var request = Request("here") with { Gate = GateReader.Parse(gate, "gate") };
        AbBlock[] blocks = [.. Range(1, 4).Select(number => new AbBlock(number, [.. AbBlock.Order(number).Select(Run)]))];

        var result = AbCommand.Judge(request, "serdica-perf ab", DateTimeOffset.UnixEpoch, blocks, TimeProvider.System);

        Assert.Equal(isBreach, result.Gate!.Outcome == GateOutcome.Breached);
    }

    [Fact]
    public async Task A_verdict_is_printed_also_where_its_files_cannot_be_written()
    {
        var run = BaselineReader.Read((await Cli.MakeRunsAsync(slower: 1)).Before);
        run = run with { Scenarios = [run.Scenarios[0]] };
        using var other = new Cli();
        other.Measuring = (arguments, _, _) =>
        {
            var folder = Directory.CreateDirectory(Path.Combine(arguments[^1], run.RunId)).FullName;
            File.WriteAllText(Path.Combine(folder, RunFolder.SummaryFile), JsonSerializer.Serialize(run, MeasurementJson.Artifacts));
            Directory.CreateDirectory(Path.Combine(other.RunFolder, RunFolder.PageFile));
            return Task.FromResult((ExitCodes.Success, "", ""));
        };

        var exitCode = await other.MeasureInThisProcessAsync("ab --base here --candidate here", Small);

        Assert.Equal(ExitCodes.Failed, exitCode);
        Assert.Contains("throughput by block: 1.000  1.000  1.000  1.000", other.Output);
        Assert.StartsWith("A file or folder cannot be read or written: ", other.Error);
    }

    /// <summary>An older commit may measure in another way without being asked to.</summary>
    [Theory]
    [InlineData("here", false)]
    [InlineData("--workers 2", true)]
    public async Task A_difference_that_nobody_asked_for_is_not_said_to_be_on_purpose(string candidate, bool isAsked)
    {
        var run = BaselineReader.Read((await Cli.MakeRunsAsync(slower: 1)).Before);
        RunResult With(Dictionary<string, string> options) =>
            run with { Scenarios = [run.Scenarios[0] with { Parameters = run.Scenarios[0].Parameters with { Options = options } }] };
        var (older, newer) = (With([]), With(new() { ["once"] = "on" }));
        AbBlock[] blocks =
        [
            .. Range(1, 4)
                .Select(number => new AbBlock(
                    number,
                    [.. AbBlock.Order(number).Select(side => new AbRun(side, "run", side == AbSide.Base ? older : newer))]
                )),
        ];

        var result = AbCommand.Judge(Request(candidate), "serdica-perf ab", default, blocks, TimeProvider.System);

        var scenario = Assert.Single(result.Comparison.Scenarios);
        Assert.Equal(["options.once: none against on"], isAsked ? scenario.Varied : scenario.Unlike);
        Assert.Empty(isAsked ? scenario.Unlike : scenario.Varied);
    }

    [Fact]
    public async Task A_measuring_process_that_lacks_its_server_says_why()
    {
        var unreachable = new Dictionary<string, string>
        {
            [DatabaseEnvironment.ConnectionStringVariable(BackendNames.PostgreSql)] = "Host=127.0.0.1;Port=1",
        };
        string[] run = ["run", "--backend", "postgresql", "--scenario", "signal-roundtrip-latency-serial", "--source", "external"];

        var error = await Assert.ThrowsAsync<MeasuringException>(() =>
            MeasuringProgram.Here.MeasureAsync(run, Cli.Folder, unreachable, Token)
        );

        Assert.Equal(ExitCodes.BackendUnavailable, error.ExitCode);
        Assert.Contains("127.0.0.1:1", error.Message);
    }

    private AbRequest Request(string candidate) =>
        new()
        {
            Base = SideOfAb.Parse("--base", "here"),
            Candidate = SideOfAb.Parse("--candidate", candidate),
            Scenarios = [],
            Backend = "in-memory",
            Options = new Dictionary<string, string?>(),
            Blocks = 4,
            Source = null,
            Gate = null,
            Output = Cli.Folder,
            Json = false,
        };

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public async Task A_signal_stops_the_comparison_and_the_process_that_measures_for_it(string signal)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Signals are sent by 'kill'.");
        Assert.SkipWhen(
            signal == "INT" && IgnoresInterrupts(),
            "Whoever started the tests ignores interrupts (nohup, or the background of a script), and every process inherits that."
        );
        using var process = Process.Start(
            new ProcessStartInfo(
                MeasuringProgram.DotNet,
                [
                    "exec",
                    MeasuringProgram.Here.Assembly,
                    "ab",
                    "--base",
                    "--step-delay 1s",
                    "--candidate",
                    "here",
                    .. Long,
                    "--output",
                    Cli.Folder,
                ]
            )
            {
                RedirectStandardOutput = true,
            }
        )!;
        try
        {
            var measuring = await FirstRunAsync(Cli.Folder, process);

            await process.SignalAsync(signal);
            await process.WaitForExitAsync(Token);

            Assert.Equal(ExitCodes.Cancelled, process.ExitCode);
            Assert.Equal("aborted", Status(Cli));
            using var manifest = JsonDocument.Parse(File.ReadAllText(Path.Combine(measuring, RunFolder.ManifestFile)));
            Assert.Equal("Stopped by the user.", manifest.RootElement.Text("statusReason"));
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }

    [Theory]
    [InlineData("frob", "'frob' in --candidate is not understood; a side is here (this program as it is), commit:REV")]
    [InlineData("--repeat 5", "'--repeat' in --candidate is not understood")]
    [InlineData("here --workers", "--workers in --candidate has no value.")]
    [InlineData("--workers 0", "--workers is '0'; it must be a whole number from 1 to 1,000.")]
    [InlineData("backend:oracle", "There is no backend 'oracle'; there are")]
    [InlineData("commit:no-such-branch", "git has no commit 'no-such-branch' here")]
    public async Task A_side_that_is_not_understood_is_answered_with_a_sentence(string candidate, string sentence)
    {
        Assert.Equal(
            ExitCodes.Usage,
            await Cli.RunAsync(["ab", "--base", "here", "--candidate", candidate, .. Small, "--output", Cli.Folder])
        );

        Assert.Contains(sentence, Cli.Error);
        Assert.Single(Cli.Error.TrimEnd().Split('\n'));
    }

    [Fact]
    public async Task A_step_delay_is_for_round_trips_and_a_scenario_has_one_backend()
    {
        Assert.Equal(
            ExitCodes.Usage,
            await Cli.RunAsync("ab", "--base", "here", "--candidate", "--step-delay 1ms", "--scenario", "immediate-burst-smoke")
        );
        Assert.Contains("--step-delay is for round trips, and immediate-burst-smoke is not one", Cli.Error);
        Assert.Equal(
            ExitCodes.Usage,
            await Cli.TypeAsync("ab --base here --candidate here --scenario in-memory-signal-roundtrip-soak --backend postgresql")
        );
        Assert.Contains("ab measures one backend on both sides", Cli.Error);
    }

    [Theory]
    [InlineData("commit:HEAD~1", "HEAD~1", null, "")]
    [InlineData("backend:in-memory --workers 2", null, "in-memory", "--workers=2")]
    [InlineData("option:--no-statistics", null, null, "--no-statistics=")]
    [InlineData("--workers=2 commit:main --load closed", "main", null, "--workers=2 --load=closed")]
    [InlineData("here", null, null, "")]
    public void Sides_are_written_in_forms_that_combine(string text, string? commit, string? backend, string options)
    {
        var side = SideOfAb.Parse("--base", text);

        Assert.Equal((commit, backend), (side.Commit, side.Backend));
        Assert.Equal(options, string.Join(' ', side.Options.Select(option => $"{option.Key}={option.Value}")));
    }

    [Theory]
    [InlineData("image:postgres:17", "image:postgres:17")]
    [InlineData("size:2,4g", "size:2,4096m")]
    [InlineData("size:1.5", "size:1.5")]
    public async Task A_condition_that_needs_a_container_is_refused_at_once_where_there_is_none(string side, string named)
    {
        Cli.Variables["DOCKER_HOST"] = $"unix://{Path.Combine(Cli.Folder, "no-engine.sock")}";

        Assert.Equal(
            ExitCodes.BackendUnavailable,
            await Cli.RunAsync("ab", "--base", "commit:no-such-branch", "--candidate", side, "--output", Cli.Folder)
        );

        Assert.StartsWith($"{named} in --candidate needs a container, but this machine cannot start one: ", Cli.Error);
        Assert.Contains("use settings:FILE or size:CPUS with --source local.", Cli.Error);
        Assert.Empty(Directory.GetFileSystemEntries(Cli.Folder));
    }

    [Theory]
    [InlineData("settings:no-such.conf", "", "settings:no-such.conf in --candidate is not a file of server settings: there is no")]
    [InlineData("size:0", "", "size:0 in --candidate is not a size; give processors, or processors and a memory")]
    [InlineData("size:2,4", "", "size:2,4 in --candidate is not a size")]
    [InlineData("size:2,4g,1", "", "size:2,4g,1 in --candidate is not a size")]
    [InlineData("size:2", "--backend in-memory", "size:2 in --candidate is for postgresql, and the backend of that side is in-memory.")]
    [InlineData("image:a server:old", "", "image:a in --candidate is for a server that is started for the comparison")]
    [InlineData("image:a", "--source local", "image:a in --candidate needs a container, and --source is local; leave it out.")]
    [InlineData("image:a", "--source external", "image:a in --candidate is for a server that is started for the comparison")]
    public async Task A_condition_that_contradicts_is_answered_with_a_sentence(string candidate, string options, string sentence)
    {
        Cli.Variables["SERDICA_PERF_SERVER_OLD"] = "Host=localhost";
        var further = options.Split(' ', RemoveEmptyEntries);

        Assert.Equal(
            ExitCodes.Usage,
            await Cli.RunAsync(["ab", "--base", "here", "--candidate", candidate, .. further, "--output", Cli.Folder])
        );

        Assert.StartsWith(sentence, Cli.Error);
        Assert.Empty(Directory.GetFileSystemEntries(Cli.Folder));
    }

    /// <summary>A shell hands a line feed over like any other character.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("1new")]
    [InlineData("new_one")]
    [InlineData("new\n")]
    public void A_server_whose_name_cannot_be_part_of_a_variable_is_refused(string name)
    {
        var error = Assert.Throws<UsageException>(() => NamedSide.Parse("--candidate", name));

        Assert.Equal(
            $"server:{name} in --candidate is not a name; use letters, digits and hyphens, for instance server:new.",
            error.Message
        );
    }

    [Fact]
    public void A_named_server_is_measured_as_it_is()
    {
        var variables = new Dictionary<string, string>
        {
            ["SERDICA_PERF_SERVER_OLD_1"] = "Host=old",
            ["SERDICA_PERF_SERVER_OLD_1_PROCESS"] = "42",
        };
        var handed = NamedSide.Parse("--base", "old-1").Environment("postgresql", variables.GetValueOrDefault);
        Assert.Equal(
            ["Host=old", "external", "42", ""],
            new[] { "", "_SOURCE", "_PROCESS", "_SETTINGS" }.Select(part => handed[$"SERDICA_PERF_POSTGRESQL{part}"])
        );

        // The process of another server is not that of this one.
        variables.Remove("SERDICA_PERF_SERVER_OLD_1_PROCESS");
        variables["SERDICA_PERF_POSTGRESQL_PROCESS"] = "43";
        handed = NamedSide.Parse("--base", "old-1").Environment("postgresql", variables.GetValueOrDefault);
        Assert.Equal("", handed["SERDICA_PERF_POSTGRESQL_PROCESS"]);
    }

    [Fact]
    public void Settings_of_a_side_stand_above_those_of_the_environment()
    {
        static Dictionary<string, string> Of(string a, string b) => new() { ["a"] = a, ["b"] = b };
        var side = new ServerConditions { Settings = new Dictionary<string, string> { ["b"] = "side" } };
        Assert.Equivalent(Of("own", "side"), side.Apply(new() { ServerSettings = Of("own", "own") }).ServerSettings);
    }

    [Fact]
    public async Task Settings_that_lose_commits_and_a_server_that_runs_already_are_refused()
    {
        using var files = new Cli();
        var (weak, fine) = (Path.Combine(files.Folder, "weak.conf"), Path.Combine(files.Folder, "fine.conf"));
        await File.WriteAllTextAsync(weak, "work_mem = 8MB\nsynchronous_commit = off\n", Token);
        await File.WriteAllTextAsync(fine, "work_mem = 8MB\n", Token);
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=localhost";

        foreach (
            var (file, sentence) in new[]
            {
                (weak, "line 2 sets synchronous_commit to 'off', and the suite measures only with on"),
                (fine, "SERDICA_PERF_POSTGRESQL names a running server; unset it, or give --source"),
            }
        )
        {
            Assert.Equal(
                ExitCodes.Usage,
                await Cli.RunAsync("ab", "--base", "here", "--candidate", $"settings:{file}", "--output", Cli.Folder)
            );
            Assert.Contains(sentence, Cli.Error);
        }
    }

    [Theory]
    [InlineData("size:2,4g", null, 2.0, 4L << 30, "size:2,4096m")]
    [InlineData("image:postgres:17 size:1 --workers 2", "postgres:17", 1.0, null, "image:postgres:17 size:1")]
    [InlineData("here", null, null, null, "")]
    public void Conditions_are_written_beside_the_other_forms(string text, string? image, double? cpus, long? memory, string conditions)
    {
        var side = SideOfAb.Parse("--base", text);

        Assert.Equal((image, cpus, memory), (side.Conditions.Image, side.Conditions.Cpus, side.Conditions.MemoryBytes));
        Assert.Equal(conditions, side.Conditions.Text);
    }

    /// <summary>The folder of the first measurement, once its window has begun.</summary>
    private static Task<string> FirstRunAsync(string root, Process comparison) =>
        HangGuard.FindAsync(
            () =>
            {
                Assert.False(comparison.HasExited, "It ended before it had measured anything.");
                var samples = Directory.EnumerateFiles(root, RunFolder.SamplesFile, SearchOption.AllDirectories).FirstOrDefault();
                return Task.FromResult(Path.GetDirectoryName(samples));
            },
            () => "Nothing is measured."
        );

    /// <summary>The mask of ignored signals, of which SIGINT is the second; told by Linux alone.</summary>
    private static bool IgnoresInterrupts() =>
        OperatingSystem.IsLinux()
        && File.ReadLines("/proc/self/status").FirstOrDefault(line => line.StartsWith("SigIgn:")) is { } mask
        && (Convert.ToUInt64(mask["SigIgn:".Length..].Trim(), 16) & 0b10) != 0;

    internal static string? Status(Cli cli)
    {
        using var manifest = cli.Parsed(AbFolder.ManifestFile);
        return manifest.RootElement.Text("status");
    }
}

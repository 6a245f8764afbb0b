using System.IO.Compression;

namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class BaselinePublisherTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly TemporaryFolder _runs = new();

    public void Dispose()
    {
        _folder.Dispose();
        _runs.Dispose();
    }

    [Fact]
    public void The_first_backend_of_an_empty_folder_becomes_a_pair_with_the_number_1()
    {
        var files = Publish(ReferenceSizedRun.Whole);

        Assert.Equal(
            ["01-postgresql-performance-baseline-2026-03-17.md", "01-postgresql-performance-baseline-2026-03-17.json.gz"],
            files.Select(Path.GetFileName)
        );
        Assert.StartsWith("# 01-postgresql-performance-baseline-2026-03-17\n", File.ReadAllText(files[0]));
        Assert.Equal("postgresql", BaselineReader.Read(files[1]).Publication!.Backend);
    }

    [Fact]
    public void The_JSON_fits_the_schema_of_a_summary()
    {
        var files = Publish(ReferenceSizedRun.Whole);

        Assert.Empty(JsonSchemaValidator.Validate("summary", JsonNode.Parse(Text(files[1]))));
    }

    [Fact]
    public void Every_backend_gets_a_pair_of_its_own_and_the_memory_only_when_it_is_asked_for()
    {
        var run = ReferenceSizedRun.Whole with
        {
            Databases =
            [
                .. ReferenceSizedRun.Whole.Databases,
                SampleRun.Database with { Backend = "mongodb" },
                SampleRun.Database with { Backend = "documentdb" },
            ],
            Scenarios =
            [
                .. ReferenceSizedRun.Whole.Scenarios.Skip(1),
                .. Twice(ReferenceSizedRun.Whole.Scenarios[0]),
                .. Twice(SampleRun.Serial with { Backend = "mongodb", Name = "mongodb-signal-roundtrip-latency-serial" }),
            ],
            Warnings =
            [
                new("a", "Of all."),
                new("b", "Of one.", "postgresql-immediate-burst-smoke"),
                new("c", "Of another.", "mongodb-signal-roundtrip-latency-serial"),
            ],
        };

        var files = BaselinePublisher.Publish(RunWithRawData.Write(_runs.Path, run), _folder.Path, number: 20, withInMemory: true);

        Assert.Equal(
            ["20-postgresql", "20-postgresql", "21-in-memory", "21-in-memory", "22-mongodb", "22-mongodb"],
            files.Select(file => Path.GetFileName(file).Split("-performance")[0])
        );
        var mongo = BaselineReader.Read(files[5]);
        Assert.Equal(["mongodb", "in-memory"], mongo.Scenarios.Select(scenario => scenario.Backend).Distinct().Order().Reverse());
        Assert.Equal(["Of all.", "Of another."], mongo.Warnings.Select(warning => warning.Sentence));
        Assert.Equal(["in-memory", "mongodb"], mongo.Databases.Select(database => database.Backend));
        Assert.Equal("mongodb-signal-roundtrip-latency-serial", Assert.Single(mongo.Repeats).Name);
        Assert.Contains("Other backends of the run: postgresql, documentdb.", mongo.Publication!.LeftOut);

        static ScenarioResult[] Twice(ScenarioResult scenario)
        {
            var first = ReferenceSizedRun.Longer(scenario);
            return [first, first with { Parameters = first.Parameters with { Repeat = 2 } }];
        }
    }

    [Fact]
    public void The_default_number_follows_the_highest()
    {
        _folder.Write("12-mongodb-performance-baseline-2026-03-18.md", "");

        Assert.StartsWith("13-", Path.GetFileName(Publish(ReferenceSizedRun.Whole)[0]));
    }

    [Fact]
    public void A_number_that_is_taken_is_refused_and_nothing_is_written()
    {
        _folder.Write("12-mongodb-performance-baseline-2026-03-18.md", "");

        var error = Assert.Throws<BaselineException>(() =>
            BaselinePublisher.Publish(RunWithRawData.Write(_runs.Path, ReferenceSizedRun.Whole), _folder.Path, 12, withInMemory: false)
        );

        Assert.Contains("number 12", error.Message);
        Assert.Single(Directory.GetFiles(_folder.Path));
    }

    [Theory]
    [InlineData(RunStatus.Failed, "is failed")]
    [InlineData(RunStatus.Aborted, "is aborted")]
    public void A_run_that_did_not_pass_is_refused(RunStatus status, string words) =>
        Refused(ReferenceSizedRun.Whole with { Status = status }, words);

    [Fact]
    public void A_Debug_build_is_refused() => Refused(WithRuntime(entry: "Debug", debugger: false), "Debug build");

    [Fact]
    public void A_run_under_a_debugger_is_refused() => Refused(WithRuntime(entry: "Release", debugger: true), "debugger");

    [Fact]
    public void A_run_whose_results_were_not_verified_is_refused() =>
        Refused(
            ReferenceSizedRun.Whole with
            {
                Scenarios = [ReferenceSizedRun.Whole.Scenarios[0] with { Unverified = "An operation failed." }],
            },
            "is UNVERIFIED: An operation failed. Only a run whose results were verified"
        );

    [Fact]
    public void A_run_without_a_database_is_refused() => Refused(ReferenceSizedRun.MemoryOnly, "measured no database");

    [Fact]
    public void Neither_file_holds_a_path_of_the_machine_or_a_secret_and_both_say_what_was_left_out()
    {
        var run = ReferenceSizedRun.Whole with
        {
            Command = "serdica-perf run --output /home/alice/runs",
            Databases =
            [
                SampleRun.Database with
                {
                    Settings = new Dictionary<string, string>
                    {
                        ["data_directory"] = "/var/lib/alice/15",
                        ["primary_conninfo"] = "host=x password=s3cret-Pa55",
                    },
                },
                ReferenceSizedRun.Memory,
            ],
            NotMeasured = [new("oracle-aq", "No driver below 'C:\\Users\\alice\\feed'.")],
        };

        var files = Publish(run);

        EachItem.Holds(files.Select(Text), text =>
        {
            foreach (var tainted in (string[])["alice", "s3cret", "/home", "/var", "127.0.0.1", "5433", _folder.Path])
                Assert.DoesNotContain(tainted, text, OrdinalIgnoreCase);
            foreach (
                var said in (string[])
                    ["How the server was reached.", "What looked like a secret, in databases[0].settings.primary_conninfo."]
            )
                Assert.Contains(said, text);
            Assert.Contains(
                "Paths of the measuring machine, in command, databases[0].settings.data_directory, notMeasured[0].reason.",
                text
            );
        });
    }

    [Fact]
    public void The_raw_data_are_published_and_read_back()
    {
        var artifacts = RunArtifacts.Read(Publish(ReferenceSizedRun.Whole)[1]);

        EachItem.Holds(artifacts.Run.Scenarios, scenario =>
        {
            Assert.Equal(scenario.ResponseTime, artifacts.Histogram(scenario, PhaseNames.ResponseTime)!.Summarize());
            Assert.Equal(scenario.Counts.Completed, artifacts.Intervals(scenario)!.Intervals.Sum(interval => interval.Counts.Sum()));
        });
    }

    [Fact]
    public void Samples_are_published_and_read_back()
    {
        var run = RunWithRawData.Write(_runs.Path, ReferenceSizedRun.Whole);
        var samples = new[] { SampleOf(run.Run.Scenarios[0].Name, 0), SampleOf(run.Run.Scenarios[0].Name, 1), SampleOf("of another", 0) };
        _runs.Write(Path.Combine(run.Run.RunId, RunFolder.SamplesFile), string.Join('\n', samples));

        var published = RunArtifacts.Read(
            BaselinePublisher.Publish(RunArtifacts.Read(_runs.Below(run.Run.RunId)), _folder.Path, null, false)[1]
        );

        Assert.Equal([0, 1], published.Samples(published.Run.Scenarios[0]).Select(sample => sample.T));
        Assert.Equal(2, published.Run.Publication!.Samples.Count);
    }

    [Fact]
    public void A_run_whose_figures_are_not_those_of_its_raw_data_is_refused()
    {
        var artifacts = RunWithRawData.Write(_runs.Path, ReferenceSizedRun.Whole);
        var faster = artifacts.Run.Scenarios[0] with { ResponseTime = artifacts.Run.Scenarios[1].ResponseTime };

        Refused(
            new RunArtifacts(
                artifacts.Run with { Scenarios = [faster, .. artifacts.Run.Scenarios.Skip(1)] },
                _runs.Below(artifacts.Run.RunId)
            ),
            "cannot be computed again from its raw data. postgresql-signal-roundtrip-latency-serial: responseTime.count is 96, and its"
        );
    }

    [Fact]
    public void A_run_without_raw_data_is_refused() =>
        Refused(new RunArtifacts(ReferenceSizedRun.Whole, folder: null), "there is no raw histogram of serviceTime.");

    [Fact]
    public void Ladders_of_other_backends_are_left_out()
    {
        var scenarios = ReferenceSizedRun.Whole.Scenarios.Select(ReferenceSizedRun.Longer).ToArray();
        var levels = scenarios.Where(scenario => CapacityLadder.IsRung(scenario.Scenario));
        var run = ReferenceSizedRun.Whole with
        {
            Databases = [.. ReferenceSizedRun.Whole.Databases, SampleRun.Database with { Backend = "mongodb" }],
            Scenarios = [.. scenarios, .. levels.Select(level => level with { Backend = "mongodb", Name = $"mongodb-{level.Scenario}" })],
        };

        Assert.Equal(["postgresql"], BaselineReader.Read(Publish(run)[1]).Ladders.Select(ladder => ladder.Backend));
    }

    [Fact]
    public void Tables_of_the_document_have_no_padding() =>
        Assert.DoesNotContain(File.ReadLines(Publish(ReferenceSizedRun.Whole)[0]), line =>
            line.StartsWith('|') && (line.Contains("  ") || line.Contains("----"))
        );

    [Fact]
    public void Everything_else_is_kept()
    {
        var whole = ReferenceSizedRun.Whole;

        var published = BaselineReader.Read(Publish(whole)[1]);

        Assert.Equal(
            whole.Scenarios.Select(scenario => (scenario.Name, scenario.ThroughputPerSecond)),
            published.Scenarios.Select(scenario => (scenario.Name, scenario.ThroughputPerSecond))
        );
        Assert.Equal(whole.Warnings, published.Warnings);
        Assert.Equal(whole.Environment.FingerprintHash, published.Environment.FingerprintHash);
        Assert.Equal(whole.Scenarios[0].TopWaits, published.Scenarios[0].TopWaits);
    }

    private static RunResult WithRuntime(string entry, bool debugger) =>
        ReferenceSizedRun.Whole with
        {
            Environment = SampleRun.Environment with
            {
                Runtime = SampleRun.Environment.Runtime with { EntryConfiguration = entry, DebuggerAttached = debugger },
            },
        };

    private IReadOnlyList<string> Publish(RunResult run) => Publish(RunWithRawData.Write(_runs.Path, run));

    private IReadOnlyList<string> Publish(RunArtifacts run) =>
        BaselinePublisher.Publish(run, _folder.Path, number: null, withInMemory: false);

    private void Refused(RunResult run, string words) => Refused(RunWithRawData.Write(_runs.Path, run), words);

    private void Refused(RunArtifacts run, string words)
    {
        Assert.Contains(words, Assert.Throws<BaselineException>(() => Publish(run)).Message);
        Assert.Empty(Directory.GetFiles(_folder.Path));
    }

    private static string SampleOf(string scenario, double t) =>
        JsonSerializer.Serialize(
            new Sample
            {
                T = t,
                Scenario = scenario,
                Repeat = 1,
                Generator = new(0, 0, 0, 0),
                Engine = new(0, 0, [], 0, new()),
                Host = new(null, null),
            },
            MeasurementJson.Compact
        );

    private static string Text(string file)
    {
        using var stream = File.OpenRead(file);
        using var reader = new StreamReader(file.EndsWith(".gz") ? new GZipStream(stream, CompressionMode.Decompress) : stream);
        return reader.ReadToEnd();
    }
}

using Serdica.Perf.Analysis.Recomputing;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class LoadMergeTests : FolderTests
{
    private static readonly VerificationCheck DeadLetter = new("no dead letter", false, "0", "1");

    private static readonly LoadProfile Profile = new()
    {
        Name = "merged",
        Steps = [new() { Name = "open", Kind = LoadKind.Open, PerSecond = 300 }],
    };

    [Fact]
    public void What_one_generator_has_found_wrong_fails_the_whole_and_is_told_once()
    {
        var merged = Merge(Part(DeadLetter), Part(), Part(DeadLetter));

        Assert.Equal(StepVerdict.Failed, merged.Verdict);
        Assert.Equal([DeadLetter], merged.FailedChecks);
        Assert.Equal(["no dead letter: expected 0, found 1."], merged.Reasons);
    }

    [Fact]
    public void A_sentence_that_only_looks_like_a_verification_is_none()
    {
        var merged = Merge(Part() with { Verdict = StepVerdict.Degraded, Reasons = ["The server wrote: expected 1, found 2."] }, Part());

        Assert.Equal(StepVerdict.Passed, merged.Verdict);
        Assert.Empty(merged.Reasons);
    }

    /// <summary>With a number of operations, each generator ends with its own last arrival.</summary>
    [Fact]
    public void Response_that_rises_is_found_in_generators_that_end_at_different_times()
    {
        static StepResult Rising(double seconds) =>
            Part() with
            {
                PlannedSeconds = seconds,
                Backlog =
                [
                    .. Range(0, BacklogTimeline.MostPoints)
                        .Select(index => new BacklogPoint((index + 0.5) * seconds / BacklogTimeline.MostPoints, 3, 50, 5 + (index * 2))),
                ],
            };

        EachItem.Holds(
            [10, 10.03],
            other =>
                Assert.Contains(
                    Merge(Rising(10), Rising(other)).Reasons,
                    reason => reason.StartsWith("Not sustained: the response time rose by 12.0 ms a second")
                )
        );
    }

    [Fact]
    public void A_phase_that_not_every_generator_had_is_merged_of_those_that_had_it()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(FromMilliseconds(8));
        Root.Write("waited.json", JsonSerializer.Serialize(histogram.ToDocument(), MeasurementJson.Compact));
        var waited = Part() with { Histograms = new Dictionary<string, string> { [PhaseNames.QueueTime] = "waited.json" } };

        var merged = Merge(Part(), waited, waited);

        Assert.Equal((2, 8.0), (merged.QueueTime.Count, merged.QueueTime.MaxMs));
        Assert.Equal([PhaseNames.QueueTime], merged.Histograms.Keys);
    }

    [Fact]
    public void Engine_of_each_generator_is_a_replica_and_the_machine_that_all_saw_is_one()
    {
        var merged = Merge(
            Part() with
            {
                Resources = [Uses(ResourceFigures.Engine, 0.5, 200), Uses("machine", 1.4, 0), Uses(ResourceFigures.Total, 0.5, 200)],
            },
            Part() with
            {
                Resources = [Uses(ResourceFigures.Engine, 0.7, 100), Uses("machine", 1.4, 0), Uses(ResourceFigures.Total, 0.7, 100)],
            }
        );

        Assert.Equal(
            [(ResourceFigures.Engine, 2), ("machine", 1)],
            merged.Resources.Select(figures => (figures.Component, figures.Replicas))
        );
        Assert.Equal((new(0.7, 0.7, 0.6), new(200, 200, 150)), (merged.Resources[0].Cpu, merged.Resources[0].Memory));
    }

    [Theory]
    [InlineData(10.001, 0.005)]
    [InlineData(10.006, 0.003)]
    public void What_the_one_server_did_for_all_generators_is_merged_and_not_left_out(double elapsed, double drain)
    {
        var merged = Merge(
            Part() with { CommitsPerOperation = 4 },
            Part() with { CommitsPerOperation = 3.9, ElapsedSeconds = elapsed, DrainSeconds = drain }
        );

        // Each of two generators saw 4,000 commits of 2,000 operations.
        Assert.Equal(2, merged.CommitsPerOperation!.Value, 1e-9);
    }

    /// <summary>Each generator has a store and an engine of its own: what they count would otherwise be that of one of them.</summary>
    [Theory]
    [InlineData("postgresql", 5, 4, 700)]
    [InlineData("mongodb", 2.5, 2, 700)]
    public void Figures_of_one_store_or_engine_are_added(string backend, double roundTrips, double rows, double bytes)
    {
        static ScenarioResult Seen(string backend, double durationMs, double tableBytes) =>
            SampleRun.Serial with
            {
                Backend = backend,
                Counts = new() { Started = 1_000, Completed = 1_000 },
                DurationMs = durationMs,
                DatabaseMetrics = new Metrics
                {
                    [MetricNames.RoundTrips] = MetricValue.Of(5_000),
                    [MetricNames.RowsTouched] = MetricValue.Of(4_000),
                    ["tableBytes"] = MetricValue.Of(tableBytes, "bytes"),
                    ["writeRetries"] = tableBytes > 300 ? MetricValue.Missing("Unknown.") : MetricValue.Of(1),
                },
                CostPerOperation = new Metrics
                {
                    [MetricNames.RoundTrips] = MetricValue.Of(5),
                    [MetricNames.RowsTouched] = MetricValue.Of(4),
                },
            };

        var merged = MergedServer.AddTo(
            SampleRun.Serial with { Counts = new() { Started = 2_000, Completed = 2_000 } },
            [Seen(backend, 10_000, 300), Seen(backend, 9_000, 400)]
        );

        Assert.Equal(roundTrips, merged.CostPerOperation[MetricNames.RoundTrips].Value);
        Assert.Equal(rows, merged.CostPerOperation[MetricNames.RowsTouched].Value);
        Assert.Equal(bytes, merged.DatabaseMetrics["tableBytes"].Value);
        Assert.Equal(MetricValue.Missing("Unknown."), merged.DatabaseMetrics["writeRetries"]);
    }

    [Theory]
    [InlineData("PostgreSQL, 14 to 18:", "schema|engine")]
    [InlineData("MongoDB 7.0 and 8.0,", "store|engine")]
    [InlineData("Oracle, according to its manual;", "store|engine")]
    public void Figures_that_are_added_are_those_whose_scope_the_documents_name(string title, string scopes)
    {
        var text = File.ReadAllText(Path.Combine(RepositoryRoot.Folder, "docs/reading-results.md"));
        var table = text[text.IndexOf(title)..].Split("\n\n")[1];
        var added = title[0] switch
        {
            'P' => MergedServer.OfPostgreSql,
            'M' => MergedServer.OfMongoDb,
            _ => MergedServer.OfOracle,
        };
        var named = Regex
            .Matches(table, $@"^\| (?<names>[^|]+) \| (?:{scopes}) \|", RegexOptions.Multiline)
            .SelectMany(row => Regex.Matches(row.Groups["names"].Value, "`(?<name>[a-zA-Z]+)[.<>a-z]*`"))
            .Select(name => name.Groups["name"].Value)
            .Except(["sessionIdleTime"])
            .Distinct();

        // DocumentDB has PostgreSQL's figures and this one.
        Assert.Equal(title[0] == 'P' ? named.Append("writeRetries").Order() : named.Order(), added.Order());
    }

    [Fact]
    public void Figures_of_the_server_are_those_of_the_generator_that_watched_longest_over_the_operations_of_all()
    {
        static ScenarioResult Seen(double durationMs, double commits) =>
            SampleRun.Serial with
            {
                Counts = new() { Started = 1_000, Completed = 1_000 },
                DurationMs = durationMs,
                DatabaseMetrics = new Metrics { [MetricNames.Commits] = MetricValue.Of(commits) },
                CostPerOperation = new Metrics
                {
                    [MetricNames.Commits] = MetricValue.Of(commits / 1_000),
                    [MetricNames.EngineCpu] = MetricValue.Of(0.3, "ms"),
                },
                EngineMetrics = new Metrics
                {
                    [MetricNames.EngineCpu] = MetricValue.Of(300, "ms"),
                    [MetricNames.MachineCpu] = MetricValue.Of(durationMs, "ms"),
                },
            };

        var merged = MergedServer.AddTo(
            SampleRun.Serial with { Counts = new() { Started = 2_000, Completed = 2_000 } },
            [Seen(9_000, 3_900), Seen(10_000, 4_000)]
        );

        Assert.Equal(4_000, merged.DatabaseMetrics[MetricNames.Commits].Value);
        Assert.Equal((2, 0.3), (merged.CostPerOperation[MetricNames.Commits].Value, merged.CostPerOperation[MetricNames.EngineCpu].Value));
        Assert.Equal(
            (600, 10_000),
            (merged.EngineMetrics[MetricNames.EngineCpu].Value, merged.EngineMetrics[MetricNames.MachineCpu].Value)
        );
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_only_one_generator_has_met_is_told_of_the_whole(bool first)
    {
        var met = Part() with
        {
            UsedUp = true,
            GivenUp = true,
            DrainLimitReached = true,
            DrainSeconds = 2,
            Unverified = "The database was away.",
            Contamination = 3,
        };
        var other = Part() with { Contamination = 1 };

        var merged = first ? Merge(met, other) : Merge(other, met);

        Assert.Equal((true, true, true), (merged.UsedUp, merged.GivenUp, merged.DrainLimitReached));
        Assert.Equal((2, "The database was away.", 4), (merged.DrainSeconds, merged.Unverified, merged.Contamination));
        Assert.Equal(StepVerdict.Degraded, merged.Verdict);
    }

    [Fact]
    public void Rate_of_the_whole_is_over_its_longest_time()
    {
        var slow = Part() with { ElapsedSeconds = 20, CompletedPerSecond = 50, BytesPerSecond = 500 };

        var merged = Merge(slow, Part() with { CompletedPerSecond = 100, BytesPerSecond = 1_000 });

        Assert.Equal(1_000, merged.BytesPerSecond!.Value, 1e-6);
        Assert.Equal((100, 200, 200), (merged.CompletedPerSecond, merged.OfferedPerSecond, merged.StartedPerSecond));
        Assert.Equal((10, 20, 2_000), (merged.PlannedSeconds, merged.ElapsedSeconds, merged.Counts.Completed));
        var quick = Part() with { PlannedSeconds = 16, ElapsedSeconds = 8 };
        Assert.Equal(2_000 / 16.0, Merge(Part(), quick).CompletedPerSecond);
    }

    [Fact]
    public void Reads_and_cycles_of_all_generators_are_added()
    {
        var merged = Merge(
            Part() with { Reads = new(10, 9, 90, 1, LatencySummary.Empty, 100), Oscillation = new(2, 50) },
            Part() with { Reads = new(20, 19, 190, 2, LatencySummary.Empty, 200), Oscillation = new(3, 60) }
        );

        Assert.Equal(new ReadFigures(30, 28, 280, 3, LatencySummary.Empty, 300), merged.Reads);
        Assert.Equal(new OscillationFigures(5, 110), merged.Oscillation);
        Assert.Equal((2, 32, 6), (merged.MinUsers, merged.MaxUsers, merged.PeakUsers));
    }

    /// <summary>A figure of a replica is of all replicas, so it has no more samples than the least of them.</summary>
    [Fact]
    public void Replicas_have_the_samples_that_each_of_them_has_and_the_machine_the_most()
    {
        ResourceFigures[] Sampled(int samples) =>
            [Uses(ResourceFigures.Engine, 0.5, 200) with { Samples = samples }, Uses("machine", 1, 0) with { Samples = samples }];

        Assert.Equal([8, 10], ResourceFigures.OfReplicas([Sampled(10), Sampled(8)]).Select(figures => figures.Samples));
    }

    [Fact]
    public void Conflicts_and_empty_claims_of_an_operation_are_by_the_operations_of_each_generator()
    {
        static StepResult Of(int completed, double conflicts, double? claims) =>
            Part() with
            {
                Counts = SampleStep.Good.Counts with { Offered = completed, Started = completed, Completed = completed },
                ConflictsPerOperation = conflicts,
                EmptyClaimsPerOperation = claims,
            };

        var merged = Merge(Of(900, 0.1, 2), Of(100, 0.5, null));

        Assert.Equal(0.14, merged.ConflictsPerOperation!.Value, 1e-9);
        Assert.Equal(2, merged.EmptyClaimsPerOperation!.Value, 1e-9);
        Assert.Null(Merge(Of(0, 0, null), Of(0, 0, null)).EmptyClaimsPerOperation);
    }

    [Fact]
    public async Task The_summary_of_the_whole_has_the_phases_the_timeline_and_the_lag_of_the_sum()
    {
        var merged = await RecordAsync(Recorded(1_000, 9_990, "orders"), Recorded(200, 10_100, "orders"));

        Assert.Equal(1_200, merged.Phases[PhaseNames.Start].Count);
        Assert.Equal((1_200, 1.0), (merged.GeneratorLag!.Count, Math.Round(merged.GeneratorLag.MaxMs!.Value, 2)));
        Assert.DoesNotContain(PhaseNames.GeneratorLag, merged.Phases.Keys);
        Assert.Equal(1_200, merged.Timeline!.Intervals.Sum(interval => interval.Count));
        Assert.NotNull(merged.Timeline.TailRatio);
        Assert.Equal(merged.Timeline.Intervals.Max(interval => interval.P99Ms), merged.Timeline.WorstP99Ms);
        Assert.Contains(PhaseNames.Start, merged.Histograms.Keys);
    }

    [Theory]
    [InlineData(12, 11)]
    [InlineData(11, 12)]
    public async Task The_whole_lasted_as_long_as_was_planned_or_longer(double planned, double elapsed)
    {
        var (result, folder) = Recorded(1_000, 10_000, "orders");
        StepResult[] steps = [result.Steps[0] with { PlannedSeconds = planned, ElapsedSeconds = elapsed }];

        var merged = await RecordAsync(Recorded(1_000, 10_000, "orders"), (result with { Steps = steps }, folder));

        Assert.Equal(12_000, merged.DurationMs);
    }

    [Fact]
    public async Task The_summary_of_the_whole_says_what_was_loaded_so_that_another_workflow_is_not_compared()
    {
        var merged = await RecordAsync(Recorded(1_000, 10_000, "orders"), Recorded(1_000, 10_000, "orders"));
        var other = await RecordAsync(Recorded(1_000, 10_000, "payments"), Recorded(1_000, 10_000, "payments"));

        Assert.Equal(
            [("arrivals", "poisson"), ("generators", "2"), ("rate", "300/s"), ("work", "orders")],
            merged.Parameters.Options.OrderBy(option => option.Key).Select(option => (option.Key, option.Value))
        );
        Assert.Equal((16, 4, 256), (merged.Parameters.Concurrency, merged.Parameters.Workers, merged.Parameters.PayloadBytes));
        Assert.Equal("hash of orders", merged.DefinitionHash);
        Assert.NotEmpty(Likeness.ParameterDifferences(merged, other));
        Assert.NotEmpty(Likeness.DefinitionDifferences(merged, other));
    }

    [Theory]
    [InlineData(WarmUpEnd.TimeLimit)]
    [InlineData(WarmUpEnd.NothingCompleted)]
    public async Task The_summary_of_the_whole_has_the_warm_up_that_was_not_enough_and_what_was_not_verified(WarmUpEnd end)
    {
        var (warm, cold) = (new WarmUp(5_000, 3_000, WarmUpEnd.Steady), new WarmUp(7, 30_000, end));
        var (result, folder) = Recorded(1_000, 10_000, "orders", warmUp: cold);
        var unverified = (result with { Steps = [result.Steps[0] with { Unverified = "The database was away." }] }, folder);

        var merged = await RecordAsync(Recorded(1_000, 10_000, "orders", warmUp: warm), unverified);

        Assert.Equal((cold, "The database was away."), (merged.WarmUp, merged.Unverified));
    }

    [Fact]
    public async Task A_check_holds_for_the_whole_when_it_held_for_each_generator_and_counts_of_their_stores_are_added()
    {
        VerificationCheck Completed(string count) => new("instances completed in the database", true, count, count);
        var none = new VerificationCheck("no dead letter", true, "0", "0");
        var text = new VerificationCheck("every instance read", true, "all", "all");

        var held = await RecordAsync(
            Recorded(1_000, 10_000, "orders", Completed("600"), none, text),
            Recorded(1_000, 10_000, "orders", Completed("400"), none, text)
        );
        var broken = await RecordAsync(Recorded(1_000, 10_000, "orders", none), Recorded(1_000, 10_000, "orders", DeadLetter));

        Assert.Equal([Completed("1000"), none, text], held.Verification);
        Assert.Equal([DeadLetter], broken.Verification);
    }

    private static ResourceFigures Uses(string component, double cores, double memory) =>
        new() { Component = component, Samples = 10, Cpu = new(cores, cores, cores), Memory = new(memory, memory, memory) };

    private StepResult Merge(params StepResult[] parts)
    {
        var folder = RunFolder.Create(
            Root.Path,
            "in-memory",
            "load",
            RunManifest.Unfinished(DateTimeOffset.UnixEpoch, "serdica-perf load", SampleRun.Environment)
        );
        return LoadMerge.Of([.. parts.Select(part => (Whole(part), Root.Path))], folder, Profile, "serdica-perf load").Steps[0];
    }

    private static LoadTestResult Whole(StepResult step) =>
        new()
        {
            Verdict = step.Verdict,
            RunId = "part",
            StartedAt = DateTimeOffset.UnixEpoch,
            Backend = "in-memory",
            Profile = Profile,
            Steps = [step],
            Command = "",
        };

    /// <summary>The folder of one of two generators, with raw data and a summary.</summary>
    private (LoadTestResult Result, string Folder) Recorded(
        int completed,
        double durationMs,
        string work,
        params VerificationCheck[] checks
    ) => Recorded(completed, durationMs, work, null, checks);

    private (LoadTestResult Result, string Folder) Recorded(
        int completed,
        double durationMs,
        string work,
        WarmUp? warmUp,
        params VerificationCheck[] checks
    )
    {
        var measured = SampleRun.Serial with
        {
            Name = SampleStep.Good.Scenario,
            Scenario = "test-step",
            Backend = "in-memory",
            Parameters = new()
            {
                Operations = 0,
                DurationSeconds = 10,
                Concurrency = 8,
                Workers = 2,
                Load = LoadModel.Open,
                PayloadBytes = 256,
                Options = new Dictionary<string, string>
                {
                    ["rate"] = "150/s",
                    ["arrivals"] = "poisson",
                    ["work"] = work,
                },
            },
            DefinitionHash = $"hash of {work}",
            WarmUp = warmUp,
            Counts = new() { Started = completed, Completed = completed },
            DurationMs = durationMs,
            Verification = checks,
        };
        var part = RunWithRawData.Write(Root.Path, SampleRun.Passed with { Scenarios = [measured] });
        var step = Part() with
        {
            Histograms = part.Run.Scenarios[0].Histograms,
            ElapsedSeconds = durationMs / 1_000,
            PlannedSeconds = durationMs / 1_000,
            MaxUsers = 8,
        };
        return (Whole(step), Root.Below(part.Run.RunId));
    }

    private static async Task<ScenarioResult> RecordAsync(params (LoadTestResult Result, string Folder)[] parts)
    {
        using var root = new TemporaryFolder();
        var (suite, _) = await LoadTestTests.BeginAsync(root);
        MergedLoad.Record(suite, parts, Profile, "serdica-perf load");
        var run = suite.End();

        // What the summary says can be computed again from the raw data beside it.
        var artifacts = RunArtifacts.Read(suite.Folder.Path);
        var read = Assert.Single(artifacts.Run.Scenarios);
        Assert.Empty(ScenarioFigures.Missing(artifacts, read));
        return Assert.Single(run.Scenarios);
    }

    private static StepResult Part(params VerificationCheck[] failed) =>
        StepJudge.Judge(SampleStep.Good with { Name = "open" }, [], failed);
}

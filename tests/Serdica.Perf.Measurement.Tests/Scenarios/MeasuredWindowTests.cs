using Serdica.Perf.Measurement.Tests.Baselines;

namespace Serdica.Perf.Measurement.Tests.Scenarios;

/// <summary>What a backend's statistics tell, as a scenario's result and samples have it.</summary>
public sealed class MeasuredWindowTests : FolderTests
{
    private const string Name = "signal-roundtrip-throughput-parallel";

    [Fact]
    public async Task Counters_are_differences_and_are_divided_by_operations_and_states_are_not()
    {
        var (result, _) = await RunAsync(new Counting());

        Assert.Equal((10, 7), (result.DatabaseMetrics["rowsTouched"].Value, result.DatabaseMetrics["connections"].Value));
        Assert.Equal(10.0 / 16, result.CostPerOperation["rowsTouched"].Value);
        Assert.DoesNotContain("connections", result.CostPerOperation.Keys);
        Assert.Equal("It is not there.", result.DatabaseMetrics["walBytes"].Reason);
        Assert.Equal([new ServerWait("IO", "WALSync", 300, 3)], result.TopWaits);
        Assert.Equal("Nobody counts statements.", result.StatementsMissing);
        Assert.Equal(ScenarioStatus.Passed, result.Status);
    }

    [Fact]
    public async Task A_server_that_is_elsewhere_has_neither_processor_time_nor_memory()
    {
        var (result, _) = await RunAsync(new Counting());

        Assert.Contains("did not start the server on this machine", result.DatabaseMetrics[MetricNames.DatabaseCpu].Reason);
        Assert.Contains("did not start the server on this machine", result.DatabaseMetrics[MetricNames.DatabaseMemory].Reason);
    }

    [Fact]
    public async Task What_the_backend_reads_of_its_server_is_in_samples_as_in_figures()
    {
        var (result, samples) = await RunAsync(new Counting { DatabaseCpu = 5 });

        Assert.Equal(5, result.DatabaseMetrics[MetricNames.DatabaseCpu].Value);
        Assert.Equal(5, samples[^1].Database![MetricNames.DatabaseCpu]);
    }

    /// <param name="isMissing">Whether the backend reports the processor time too, and could not read it.</param>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Container_of_the_server_is_in_figures_and_samples(bool isMissing)
    {
        var reads = 0;
        Task<ServerUsage?> ReadAsync(CancellationToken cancellationToken)
        {
            var n = Interlocked.Increment(ref reads);
            return Task.FromResult<ServerUsage?>(new(FromMilliseconds(n * 10), null, new(100 - n, n * 4096, null)));
        }

        var (result, samples) = await RunAsync(new Counting { DatabaseCpu = isMissing ? double.NaN : null }, readUsageAsync: ReadAsync);

        var ticks = reads - 1;
        Assert.Equal(ticks * 10, result.DatabaseMetrics[MetricNames.DatabaseCpu].Value);
        Assert.Equal(100 - reads, result.DatabaseMetrics[MetricNames.ContainerMemory].Value);
        Assert.Equal(ticks * 4096, result.DatabaseMetrics[MetricNames.ContainerBlockReads].Value);
        Assert.Equal("The container engine does not report it.", result.DatabaseMetrics[MetricNames.ContainerBlockWrites].Reason);
        Assert.DoesNotContain(MetricNames.ContainerMemory, result.CostPerOperation.Keys);
        Assert.Equal(
            (0, ticks * 4096),
            (samples[0].Database![MetricNames.ContainerBlockReads], samples[^1].Database![MetricNames.ContainerBlockReads])
        );
    }

    [Fact]
    public async Task The_collectors_own_time_is_a_cost_of_theirs_and_no_figure_of_the_database()
    {
        var (result, _) = await RunAsync(new Counting());

        Assert.DoesNotContain(MetricNames.CollectorTime, result.DatabaseMetrics.Keys);
        Assert.InRange(result.Collectors!.TimeMs, 2, double.MaxValue);
        Assert.InRange(result.Collectors.ShareOfWindow, double.Epsilon, double.MaxValue);

        // All processors together: a quarter of what it is of one.
        var window = result.Collectors.TimeMs / result.Collectors.ShareOfWindow;
        Assert.Equal(3, result.Collectors.CpuMs);
        Assert.Equal(3 / window / 4, result.Collectors.ShareOfProcessors!.Value, 1e-9);
    }

    [Fact]
    public void Traffic_of_the_machine_is_that_of_the_window_in_each_direction() =>
        Assert.Equal(
            new HostSample(null, null)
            {
                NetworkReceivedBytes = 1,
                NetworkSentBytes = 2,
                DiskReads = 3,
                DiskReadBytes = 4,
                DiskWrites = 5,
                DiskWriteBytes = 6,
            },
            MeasuredWindow.Traffic((new(100, 200), new(300, 400, 500, 600)), (new(101, 202), new(303, 404, 505, 606)))
        );

    [Fact]
    public void A_figure_that_comes_late_needs_ten_times_as_long_a_window()
    {
        var late = new Statistic(5, Lag: FromSeconds(1));

        Assert.EndsWith("9.9 s, and 10 s are needed.", MeasuredWindow.Metric(late, FromSeconds(9.9)).Reason);
        Assert.Equal(5, MeasuredWindow.Metric(late, FromSeconds(10)).Value);
    }

    [Fact]
    public async Task Samples_begin_at_the_begin_of_the_window_and_end_with_all_operations()
    {
        var (result, samples) = await RunAsync(new Counting());

        Assert.Equal(result.Collectors!.Samples, samples.Count);
        Assert.Equal((0, new GeneratorSample(0, 0, 0, 0)), (samples[0].T, samples[0].Generator));
        Assert.Equal(new GeneratorSample(16, 16, 0, 0), samples[^1].Generator);
        Assert.Equal(10, samples[^1].Database!["rowsTouched"]);
        Assert.Equal((0, 7), (samples[0].Database!["rowsTouched"], samples[0].Database!["connections"]));
        Assert.True(samples[^1].T * 1000 >= result.DurationMs, $"{samples[^1].T} s");
        EachItem.Holds(samples, sample => Assert.Equal((result.Name, 1), (sample.Scenario, sample.Repeat)));
    }

    /// <summary>Resource figures divide by the time between the first sample and the last one.</summary>
    [Fact]
    public async Task Samples_without_statistics_have_rising_times_and_the_load_since_the_one_before()
    {
        var (samples, third) = (new List<Sample>(), new TaskCompletionSource<Sample[]>());
        Spend(busy: 1_000, idle: 1_000);

        // After the first sample all is busy, and after the second a quarter.
        void Write(Sample sample)
        {
            samples.Add(sample);
            if (samples.Count == 3)
                third.SetResult([.. samples]);
            Spend(samples.Count == 1 ? 1_400 : 1_500, samples.Count == 1 ? 1_000 : 1_300);
        }

        void Spend(int busy, int idle) => Root.Write("proc/stat", $"cpu  {busy} 0 0 {idle} 0 0 0 0 0 0\ncpu0 0\n");

        await using var store = new Store(statistics: null);
        await using var workload = new IdleWorkload(store, canBeEndless: false, _ => { });
        var progress = new ScenarioProgress(Name, ScenarioCatalog.Find(Name)!.Parameters);
        var window = await MeasuredWindow.OpenAsync(
            workload,
            new(progress, Statistics: null, ReadUsageAsync: null, Write) { SystemRoot = Root.Path },
            Token
        );
        await using (window)
        {
            var begin = await third.Task.WaitAsync(Token);

            Assert.Equal(0, begin[0].T);
            Assert.Equal(begin.Select(sample => sample.T).Distinct().Order(), begin.Select(sample => sample.T));
            Assert.Equal([null, 1, 0.25], begin.Select(sample => sample.Host!.Cpu));
        }
    }

    [Fact]
    public async Task Samples_are_lines_of_a_file_that_fit_the_schema()
    {
        var folder = RunFolder.Create(Root.Path, "x", "smoke", RunManifest.Of(SampleRun.Passed));
        var (_, samples) = await RunAsync(new Counting());
        var (_, ofMemory) = await RunAsync(statistics: null);

        foreach (var sample in samples.Concat(ofMemory))
            folder.Append(sample);

        var lines = File.ReadAllLines(Path.Combine(folder.Path, RunFolder.SamplesFile));
        Assert.Equal(samples.Count + ofMemory.Count, lines.Length);
        EachItem.Holds(lines, line => Assert.Empty(JsonSchemaValidator.Validate("sample", JsonNode.Parse(line))));
        Assert.Null(JsonSerializer.Deserialize<Sample>(lines[^1], MeasurementJson.Compact)!.Database);
    }

    [Fact]
    public async Task Without_statistics_nothing_is_collected()
    {
        var (result, samples) = await RunAsync(new Counting(), new RunOptions { WarmUp = 0, Statistics = false });

        Assert.Empty(samples);
        Assert.Empty(result.DatabaseMetrics);
        Assert.Null(result.Collectors);
        Assert.Equal(ScenarioStatus.Passed, result.Status);
    }

    [Fact]
    public void Samples_that_failed_are_a_warning()
    {
        var scenario = SampleRun.Serial with
        {
            Collectors = new() { Samples = 8, Failed = 2, Error = "It was away.", TimeMs = 1, ShareOfWindow = 0.1 },
        };

        var warning = Assert.Single(SamplesMissing.Of(scenario));

        Assert.Equal((WarningCodes.SamplesMissing, scenario.Name), (warning.Code, warning.Scenario));
        Assert.Contains("2 of 10 samples", warning.Sentence);
        Assert.Contains("It was away.", warning.Sentence);
        Assert.Empty(SamplesMissing.Of(SampleRun.Serial));
    }

    private static async Task<(ScenarioResult Result, List<Sample> Samples)> RunAsync(
        IBackendStatistics? statistics,
        RunOptions? options = null,
        Func<CancellationToken, Task<ServerUsage?>>? readUsageAsync = null
    )
    {
        options ??= new RunOptions { WarmUp = 0 };
        options = options with { Operations = 16, Concurrency = 2 };
        var samples = new List<Sample>();
        var scenario = ScenarioCatalog.Find(Name)!;
        await using var store = new Store(statistics);
        var progress = new ScenarioProgress(ScenarioRunner.FullName(store.Backend, scenario), options.Apply(scenario, repeat: 1));
        var measurement = await new ScenarioRunner(options)
        {
            Samples = samples.Add,
            ReadUsageAsync = readUsageAsync,
            MachineCores = 4,
        }.RunAsync(scenario, store, progress, Token);
        return (measurement.Result, samples);
    }

    private sealed class Store(IBackendStatistics? statistics) : IScenarioStore
    {
        private readonly InMemoryWorkflowBackend _backend = new();

        public string Backend => _backend.Name;

        public IBackendStatistics? Statistics => statistics;

        public IWorkflowBackend Connect() => _backend;

        public ValueTask DisposeAsync() => _backend.DisposeAsync();
    }

    /// <summary>Full snapshots are ten rows, three waits and two milliseconds of its own work apart.</summary>
    private sealed class Counting : IBackendStatistics
    {
        private int _full;

        /// <summary>Between full snapshots; null when the backend leaves it to others to read.</summary>
        public double? DatabaseCpu { get; init; }

        public Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken)
        {
            _full += depth == SnapshotDepth.Full ? 1 : 0;
            var values = new Dictionary<string, Statistic>
            {
                ["rowsTouched"] = new(_full * 10),
                ["connections"] = new(7, IsGauge: true),
                ["walBytes"] = new(null, "bytes", "It is not there."),
                [MetricNames.CollectorTime] = new(_full * 2, "ms"),
                [MetricNames.CollectorCpu] = new(_full * 3, "ms"),
            };
            if (DatabaseCpu is { } milliseconds)
                values[MetricNames.DatabaseCpu] = double.IsNaN(milliseconds)
                    ? new(null, "ms", "It was refused.")
                    : new(_full * milliseconds, "ms");
            return Task.FromResult(
                new StatisticsSnapshot(values)
                {
                    Waits = [new WaitTime("IO", "WALSync", _full * 300, _full * 3)],
                    StatementsMissing = "Nobody counts statements.",
                }
            );
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}

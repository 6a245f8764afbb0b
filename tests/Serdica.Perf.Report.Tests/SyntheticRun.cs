using Serdica.Perf.Analysis.Capacity;
using Serdica.Perf.Reports;
using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Samples;

namespace Serdica.Perf.Report.Tests;

/// <summary>
/// A run folder as a real run leaves it, of operations that never happened: a soak of a given length and rate with a sample of every
/// second, and the levels of a ladder. Every call returns the same.
/// </summary>
internal sealed class SyntheticRun(RunFolder folder)
{
    private const string Backend = "postgresql";
    private const string SoakName = "long-soak";

    public static readonly DateTimeOffset Begin = new(2026, 3, 17, 10, 0, 0, TimeSpan.Zero);

    public static readonly EnvironmentFingerprint Environment = new()
    {
        Machine = new()
        {
            MachineName = "2-core machine of the tests",
            CpuModel = "A processor",
            LogicalCores = 2,
            MemoryBytes = 24L << 30,
            OperatingSystem = "Debian 12",
            Kernel = "6.1",
            Architecture = "X64",
        },
        Runtime = new()
        {
            DotNetVersion = "10.0.0",
            ServerGc = false,
            ConcurrentGc = true,
            AvailableProcessors = 2,
            EntryConfiguration = "Release",
            SuiteConfiguration = "Release",
            DebuggerAttached = false,
        },
        Source = new() { Commit = "0123456789abcdef0123456789abcdef01234567", Dirty = false },
        ReadAt = Begin,
        LoadAverageAtStart = 0.4,
        LoadAverageAtEnd = 1.9,
    };

    public static readonly IReadOnlyList<DatabaseDescription> Databases =
    [
        new()
        {
            Backend = Backend,
            Product = "PostgreSQL",
            Version = "15.18",
            Source = "local",
            Durability = Durability.Durable,
            Settings = new Dictionary<string, string> { ["fsync"] = "on" },
        },
    ];

    private readonly Random _random = new(4711);

    /// <returns>The run folder.</returns>
    public static string Write(string root, TimeSpan length, int perSecond, Func<RunResult, RunResult>? change = null)
    {
        var folder = RunFolder.Create(root, Backend, "soak", RunManifest.Unfinished(Begin, "serdica-perf run", Environment));
        var run = new SyntheticRun(folder);
        ScenarioResult[] scenarios = [run.Soak(length, perSecond), .. Levels()];
        var result = new RunResult
        {
            Status = RunStatus.Passed,
            RunId = folder.RunId,
            StartedAt = Begin,
            FinishedAt = Begin + length,
            Command = "serdica-perf run --scenario long-soak",
            Environment = Environment,
            Databases = Databases,
            Warnings =
            [
                new(WarningCodes.BusyMachine, "The load average at the start was 2.4 on 2 cores."),
                new(WarningCodes.NoSteadyState, "The last tenth ran at 0.8 of the first.", $"{Backend}-{SoakName}"),
            ],
            Scenarios = scenarios,
            Ladders = CapacityLadders.Of(scenarios),
            NotMeasured = [new("oracle-aq", "The Oracle driver is turned off.")],
        };
        result = change?.Invoke(result) ?? result;
        folder.Write(result);
        RunReports.Write(folder, result);
        return folder.Path;
    }

    private ScenarioResult Soak(TimeSpan length, int perSecond)
    {
        var (histogram, timeline) = (new LatencyHistogram(), new ThroughputTimeline());
        var operations = (int)(length.TotalSeconds * perSecond);
        for (var operation = 0; operation < operations; operation++)
        {
            var at = length * ((operation + 0.5) / operations);
            var latency = Latency(at);
            histogram.Record(latency);
            timeline.Record(at, latency);
        }

        var name = $"{Backend}-{SoakName}";
        for (var second = 0; second <= length.TotalSeconds; second++)
            folder.Append(Sample(name, second, perSecond));
        return Scenario(SoakName, "WorkflowPerfSoak", operations, 256) with
        {
            DurationMs = length.TotalMilliseconds,
            ServiceTime = histogram.Summarize(),
            ResponseTime = histogram.Summarize(),
            Drain = new(1_500),
            Timeline = timeline.Snapshot(length),
            Histograms = new Dictionary<string, string>
            {
                [PhaseNames.ResponseTime] = folder.WriteHistogram(name, PhaseNames.ResponseTime, histogram),
            },
            IntervalHistograms = folder.WriteIntervals(name, timeline.Histograms(length)),
            TopWaits =
            [
                new("IO", "WALSync", 9e6, 900),
                new("CPU", "CPU", 5e6, 500),
                new("LWLock", "WALWrite", 2e6, 200),
                new("Client", "ClientRead", 8e6, 800),
            ],
            CostPerOperation = new Dictionary<string, MetricValue>
            {
                [MetricNames.WalBytes] = MetricValue.Of(1_300, "bytes"),
                [MetricNames.WritingCommits] = MetricValue.Of(0.15),
                [MetricNames.DatabaseCpu] = MetricValue.Of(0.08, "ms"),
            },
        };
    }

    /// <summary>Log-normal about 4 ms, with a slow second branch every minute: what a checkpoint does.</summary>
    private TimeSpan Latency(TimeSpan at)
    {
        var normal = Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());
        var slow = at.Seconds < 6 && _random.Next(4) == 0 ? 8 : 1;
        return FromMilliseconds(4 * slow * Math.Exp(0.4 * normal));
    }

    /// <summary>A sample of a run at constant load.</summary>
    public static Sample Sample(string scenario, int second, int perSecond) =>
        new()
        {
            T = second,
            Scenario = scenario,
            Repeat = 1,
            Generator = new(second * perSecond, second * perSecond - 20, 0, 20),
            Engine = new(
                second * 620.0,
                second * 40_000_000L,
                [second / 3, second / 30, second / 300],
                220_000_000 + second * 1_000,
                new EngineCounters()
            ),
            Database = new Dictionary<string, double?>
            {
                [MetricNames.DatabaseCpu] = second * 810.0,
                [MetricNames.WalBytes] = second * 1_300.0 * perSecond,
                [MetricNames.WritingCommits] = second * 0.15 * perSecond,
                [MetricNames.WalSyncs] = second * 400.0,
                [MetricNames.LogicalReads] = second * 40.0 * perSecond,
                [MetricNames.DatabaseMemory] = 400_000_000,
                ["connections"] = 12,
                ["sessionsWaitingForLocks"] = second % 7 == 0 ? 1 : 0,
                ["deadRows"] = second % 60 * 900,
                ["checkpoints"] = second / 300,
                ["autovacuums"] = null,
            },
            Host = new(1.8, second == 0 ? null : 0.7 + 0.1 * Math.Sin(second / 20.0)),
        };

    private static IEnumerable<ScenarioResult> Levels() =>
        from level in ((int Callers, double PerSecond, double P95Ms)[])
            [(1, 530, 2.9), (4, 1_700, 3.6), (16, 3_900, 6.5), (64, 8_100, 12.4), (256, 8_300, 51), (1_024, 7_900, 210)]
        let latency = new LatencySummary
        {
            Count = 5_000,
            AverageMs = level.P95Ms / 2,
            P50Ms = level.P95Ms / 2,
            P95Ms = level.P95Ms,
            P99Ms = level.P95Ms * 1.5,
            MaxMs = level.P95Ms * 4,
        }
        select Scenario($"signal-roundtrip-capacity-c{level.Callers}", "WorkflowPerfCapacity", 5_000, level.Callers) with
        {
            DurationMs = 5_000 / level.PerSecond * 1_000,
            ServiceTime = latency,
            ResponseTime = latency,
        };

    private static ScenarioResult Scenario(string name, string tier, int operations, int callers) =>
        new()
        {
            Name = $"{Backend}-{name}",
            Status = ScenarioStatus.Passed,
            Scenario = name,
            Backend = Backend,
            Tier = tier,
            Family = ScenarioFamilies.SignalRoundtrip,
            Description = "A scenario of the tests.",
            Parameters = new() { Operations = operations, Concurrency = callers, Workers = 8, Load = LoadModel.Closed },
            Counts = new() { Started = operations, Completed = operations },
            Verification = [new("counts balance", true, $"{operations}", $"{operations}")],
        };
}

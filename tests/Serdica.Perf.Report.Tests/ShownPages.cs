using Serdica.Perf.Analysis.Blocks;
using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Cli.Commands.Faults;
using Serdica.Perf.Delivery.Tests;
using Serdica.Perf.Faults.Figures;

namespace Serdica.Perf.Report.Tests;

/// <summary>A page of every kind that the project writes, with as much in it as such a page can have.</summary>
internal static class ShownPages
{
    /// <summary>The page of <c>serve</c>, which a server writes.</summary>
    public const string Served = "serve";

    /// <summary>The page of a published baseline.</summary>
    private const string Published = "baseline";

    private static readonly Dictionary<string, Action<TextWriter, string>> ByName = new()
    {
        ["run"] = (writer, root) => HtmlReport.Write(writer, ReportBuilder.Build([RunArtifacts.Read(Run(root))])),
        ["few"] = (writer, root) => HtmlReport.Write(writer, Few(root)),
        ["backends"] = (writer, root) => HtmlReport.Write(writer, Backends(root)),
        ["load"] = (writer, root) => HtmlReport.Write(writer, ReportBuilder.Build([RunArtifacts.Read(SyntheticLoad.Write(root))])),
        ["find-max"] = (writer, root) => HtmlReport.Write(writer, FindMax(root)),
        ["comparison"] = (writer, root) => HtmlReport.Write(writer, Comparison(root)),
        ["ab"] = (writer, root) => HtmlReport.Write(writer, Ab(root)),
        ["tables"] = (writer, root) => HtmlTables.Write(writer, Backends(root)),
    };

    /// <summary>The page of a kept run in which everything failed in turn.</summary>
    private const string UnderFaults = "faults";

    public static IEnumerable<string> Names => [.. ByName.Keys, Published, UnderFaults, Served];

    /// <param name="name">One of <see cref="Names"/> that is no page of a server.</param>
    /// <returns>The file.</returns>
    public static async Task<string> WriteAsync(string name, string root)
    {
        var file = Path.Combine(root, $"{name}.html");
        await using var writer = File.CreateText(file);
        if (name == Published)
            HtmlReport.Write(writer, ReportBuilder.Build([RunArtifacts.Read(await BaselineAsync(root))]));
        else if (name == UnderFaults)
            FaultPage.Write(writer, await FaultsAsync(root));
        else
            ByName[name](writer, root);
        return file;
    }

    /// <summary>Runs of one series, a load test, a kept run under faults, a kept comparison, and a run that has not ended.</summary>
    public static async Task WriteServedAsync(string root)
    {
        foreach (var factor in (double[])[1, 1.5, 1.2])
        {
            ScenarioResult Slower(ScenarioResult scenario) => scenario with { DurationMs = scenario.DurationMs * factor };
            SyntheticRun.Write(root, FromSeconds(3), 200, run => run with { Scenarios = [.. run.Scenarios.Select(Slower)] });
        }

        SyntheticLoad.Write(root);
        RunFolder.Create(
            root,
            "postgresql",
            "nightly",
            RunManifest.Unfinished(SyntheticRun.Begin, "serdica-perf run", SyntheticRun.Environment)
        );
        using var history = new TemporaryFolder();
        var faults = await KeptAsync("2026-11-26-build-machine-7", "postgresql-faults-everything", history.Path);
        Copy(faults, Path.Combine(root, "20261126T101500Z-postgresql-faults"));
        var comparison = await KeptAsync("2026-11-23-build-machine-3", "postgresql-direct-c256", history.Path);
        Copy(comparison, Path.Combine(root, "20261123T101500Z-postgresql-ab"));
    }

    private static Task<string> BaselineAsync(string root)
    {
        var documents = Directory.EnumerateFiles(Repository.PathOf("docs/baselines"), "*-postgresql-*.md").Order(StringComparer.Ordinal);
        return GitHistory.RawDataAsync(Path.GetFileNameWithoutExtension(documents.Last()), root);
    }

    /// <summary>Two minutes of a soak, and the levels of a ladder.</summary>
    private static string Run(string root, Func<RunResult, RunResult>? change = null) =>
        SyntheticRun.Write(root, FromMinutes(2), 200, change);

    /// <summary>A run of the smoke tier with a failed scenario, beside another one of which nothing changed that could be seen.</summary>
    private static ReportDocument Few(string root)
    {
        var run = BaselineReader.Read(
            SyntheticRun.Write(root, FromSeconds(3), 8, run => run with { Scenarios = [run.Scenarios[0]], Ladders = [] })
        );
        var failed = run.Scenarios[0] with
        {
            Name = "postgresql-poison-signal-smoke",
            Scenario = "poison-signal-smoke",
            Status = ScenarioStatus.Failed,
            FailureReasons = ["3 of 24 instances are still open after a drain of 30 s: their signals are dead letters."],
            Errors =
            [
                new()
                {
                    Operation = "signal",
                    Kind = "NpgsqlException",
                    Count = 3,
                    FirstMessage = "Exception while reading from stream: the connection was closed by the server",
                    FirstAtSeconds = 0.4,
                },
            ],
            Verification = [new("every instance closed", false, "24", "21")],
        };
        run = run with { Status = RunStatus.Failed, StatusReason = "1 of 2 scenarios failed.", Scenarios = [run.Scenarios[0], failed] };
        return ReportBuilder.Build([new RunArtifacts(run, null)], RunComparer.Compare(run, run, ComparisonSettings.Default));
    }

    /// <summary>Two backends, one of them in host processes, each with repeats.</summary>
    private static ReportDocument Backends(string root)
    {
        var first = RunArtifacts.Read(Run(root, run => WithHosts(run)));
        var second = RunArtifacts.Read(
            Run(
                root,
                run =>
                    run with
                    {
                        Databases =
                        [
                            SyntheticRun.Databases[0] with
                            {
                                Backend = "documentdb",
                                Product = "DocumentDB",
                                Version = "1.0 on PostgreSQL 15.18",
                                Settings = new Dictionary<string, string>
                                {
                                    ["shared_preload_libraries"] = "pg_cron, pg_documentdb_core, pg_documentdb",
                                },
                            },
                        ],
                        Scenarios =
                        [
                            .. run.Scenarios.Select(scenario =>
                                scenario with
                                {
                                    Backend = "documentdb",
                                    Name = scenario.Name.Replace("postgresql", "documentdb"),
                                    DurationMs = scenario.DurationMs * 1.7,
                                }
                            ),
                        ],
                        Ladders = [],
                    }
            )
        );
        return ReportBuilder.Build([first, second]);
    }

    /// <summary>The load test as a search: the second rate did not hold, as was to be found out.</summary>
    private static ReportDocument FindMax(string root)
    {
        var document = ReportBuilder.Build([RunArtifacts.Read(SyntheticLoad.Write(root, isStopped: false))]);
        return document with
        {
            LoadTests =
            [
                document.LoadTests[0] with
                {
                    Found = new(
                        500,
                        5_000,
                        Confirmed: false,
                        "The highest rate that held is 500 operations a second; 5,000 a second did not hold, and nothing between was tried."
                    ),
                },
            ],
        };
    }

    /// <summary>A run against another one that was faster, with a trend and a run that was left out.</summary>
    public static ReportDocument Comparison(string root)
    {
        var run = RunArtifacts.Read(Run(root));
        var before = Repeated(run.Run);
        var after = before with
        {
            Scenarios =
            [.. before.Scenarios.Select((scenario, index) => scenario with { DurationMs = scenario.DurationMs * Factor(index / 5) })],
        };
        var points = Range(0, 40)
            .Select(day => new ReportTrendPoint(
                $"{day:x40}",
                new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddDays(day),
                day < 25 ? 10_000 + day % 3 * 40 : 8_000 + day % 3 * 40
            ))
            .ToArray();
        return ReportBuilder.Build(
            [run],
            RunComparer.Compare(before, after, ComparisonSettings.Default, allowUnlike: false),
            [new ReportTrend("postgresql-signal-roundtrip-throughput-parallel throughput", "op/s", points, [25])]
        ) with
        { LeftOut = ["The run 20260316T100000Z-postgresql-soak cannot be read: its summary.json ends too early. It is left out."] };

        static double Factor(int scenario) => scenario switch { 0 => 1, 1 => 0.6, 2 => 25, _ => 1 + 0.01 * scenario };
    }

    /// <summary>Two sides in blocks, of which the candidate is slower.</summary>
    private static ReportDocument Ab(string root)
    {
        var (before, after) = (RunArtifacts.Read(Run(root)), RunArtifacts.Read(Run(root)));
        RunResult Measured(RunResult run, AbSide side, int number)
        {
            var factor = (side == AbSide.Candidate ? 1.3 : 1) * (1 + 0.01 * (number % 3));
            return run with
            {
                Scenarios =
                [
                    .. run.Scenarios.Select(scenario =>
                        scenario with { DurationMs = scenario.DurationMs * factor, ResponseTime = Longer(scenario.ResponseTime, factor) }
                    ),
                ],
            };
        }

        AbBlock[] blocks =
        [
            .. Range(1, 6)
                .Select(number => new AbBlock(
                    number,
                    [
                        .. AbBlock
                            .Order(number)
                            .Select(
                                (side, place) =>
                                    new AbRun(side, "", Measured(side == AbSide.Base ? before.Run : after.Run, side, number * 4 + place))
                            ),
                    ]
                )),
        ];
        return ReportBuilder.Build(
            [before, after],
            BlockComparer.Compare("commit:HEAD~1", "commit:HEAD", blocks, ComparisonSettings.Default, ["shared_buffers: 128MB against 1GB"])
        );
    }

    private static LatencySummary Longer(LatencySummary latency, double factor) =>
        latency with
        {
            P50Ms = latency.P50Ms * factor,
            P95Ms = latency.P95Ms * factor,
            P99Ms = latency.P99Ms * factor,
            MaxMs = latency.MaxMs * factor,
        };

    private static async Task<FaultResult> FaultsAsync(string root) =>
        JsonFile.TryRead<FaultResult>(
            JsonFile.In(await KeptAsync("2026-11-26-build-machine-7", "postgresql-faults-everything", root), FaultResult.FileName)!
        )!;

    /// <summary>The first scenario ran in two host processes.</summary>
    public static RunResult WithHosts(RunResult run) =>
        run with
        {
            Scenarios =
            [
                run.Scenarios[0] with
                {
                    Processes = new()
                    {
                        Generator = new()
                        {
                            ProcessId = 4_700,
                            CpuMs = 2_500,
                            WorkingSetBytes = 80L << 20,
                            PeakWorkingSetBytes = 85L << 20,
                            Connections = 3,
                        },
                        Hosts = [SyntheticLoad.Host(1), SyntheticLoad.Host(2)],
                    },
                    DatabaseMetrics = new Dictionary<string, MetricValue>
                    {
                        [MetricNames.DatabaseCpu] = MetricValue.Of(9_000, "ms"),
                        [MetricNames.DatabaseMemory] = MetricValue.Of(400L << 20, "bytes"),
                        [MetricNames.Connections] = MetricValue.Of(26),
                    },
                },
                .. run.Scenarios.Skip(1),
            ],
        };

    /// <summary>Five repeats of each, close together, so that a change is distinguishable from chance.</summary>
    public static RunResult Repeated(RunResult run)
    {
        ScenarioResult[] scenarios =
        [
            .. from scenario in run.Scenarios
            from repeat in Range(1, 5)
            select scenario with
            {
                DurationMs = scenario.DurationMs * (1 + 0.001 * repeat),
                Parameters = scenario.Parameters with { Repeat = repeat },
            },
        ];
        return run with { Scenarios = scenarios, Repeats = RepeatSummary.Of(scenarios) };
    }

    private static Task<string> KeptAsync(string machine, string name, string root) =>
        GitHistory.KeptRunAsync(Repository.PathOf($"TestResults/baselines/{machine}/{name}"), root);

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in Directory.EnumerateFiles(from))
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
    }
}

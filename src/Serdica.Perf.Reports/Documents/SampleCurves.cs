namespace Serdica.Perf.Reports.Documents;

/// <summary>The samples of one window as curves, and the events that they show.</summary>
internal static class SampleCurves
{
    /// <summary>More points than a chart has pixels only make the page larger.</summary>
    private const int MostPoints = 600;

    /// <summary>More would hide what they mark.</summary>
    private const int MostMarks = 40;

    /// <summary>A last interval that is shorter than this share of the others is not shown: its rate would be chance.</summary>
    private const double ShortEnd = 0.5;

    private const double Mebibyte = 1 << 20;

    /// <summary>In the order of reading; what a sample does not have is left out.</summary>
    private static readonly PanelPlan[] Plans =
    [
        new(
            "Operations",
            "per second",
            Rate("started", sample => sample.Generator.Started),
            Rate("completed", sample => sample.Generator.Completed),
            Rate("failed", sample => sample.Generator.Failed)
        ),
        new("Operations in flight", "number", State("in flight", sample => sample.Generator.InFlight)),
        new(
            "Processors in use",
            "cores",
            Rate("engine and generator", sample => sample.Engine.CpuMs / 1000),
            Rate("database", sample => Database(sample, MetricNames.DatabaseCpu) / 1000)
        ),
        new("Machine", "share of all processors", State("busy", sample => sample.Host.Cpu)),
        new("Log of the database", "MiB per second", Rate("written", sample => Database(sample, MetricNames.WalBytes) / Mebibyte)),
        new(
            "Commits and flushes",
            "per second",
            Rate("writing commits", sample => Database(sample, MetricNames.WritingCommits)),
            Rate("flushes of the log", sample => Database(sample, MetricNames.WalSyncs))
        ),
        new(
            "Pages read",
            "per second",
            Rate("asked for", sample => Database(sample, MetricNames.LogicalReads)),
            Rate("not in memory", sample => Database(sample, "blocksRead"))
        ),
        new(
            "Sessions",
            "number",
            State("connected", sample => Database(sample, MetricNames.Connections)),
            State("waiting for locks", sample => Database(sample, "sessionsWaitingForLocks"))
        ),
        new("Rows that vacuum has to remove", "number", State("dead rows", sample => Database(sample, "deadRows"))),
        new(
            "Memory",
            "MiB",
            State("engine and generator", sample => sample.Engine.WorkingSetBytes / Mebibyte),
            State("database", sample => Database(sample, MetricNames.DatabaseMemory) / Mebibyte)
        ),
        new("Allocation", "MiB per second", Rate("engine and generator", sample => sample.Engine.AllocatedBytes / Mebibyte)),
        new(
            "Garbage collections",
            "per second",
            [
                .. Enumerable
                    .Range(0, 3)
                    .Select(generation =>
                        Rate($"generation {generation}", sample => sample.Engine.Collections.ElementAtOrDefault(generation))
                    ),
            ]
        ),
    ];

    /// <summary>Counters of the database whose rise is an event.</summary>
    private static readonly (string Metric, string Label)[] RisingCounters =
    [
        (MetricNames.Checkpoints, "checkpoint"),
        (MetricNames.Autovacuums, "autovacuum"),
    ];

    /// <summary>Null with fewer than three samples: two points are no curve.</summary>
    public static ReportCurves? Of(IReadOnlyList<Sample> samples) => Of([new SampleWindow(0, samples)]);

    /// <summary>Several windows on one axis, with a gap between two of them; null when all are shorter than three samples.</summary>
    public static ReportCurves? Of(IReadOnlyList<SampleWindow> windows)
    {
        windows = [.. windows.Where(window => window.Samples.Count >= 3)];
        if (windows.Count == 0)
            return null;

        var together = (windows.Sum(window => window.Samples.Count) + MostPoints - 1) / MostPoints;
        var parts = windows
            .Select(window => (Begin: window.BeginSeconds, Groups: WithoutShortEnd(window.Samples).Chunk(together).ToArray()))
            .ToArray();
        double[] Times((double Begin, Sample[][] Groups) part) =>
            [.. part.Groups.Select(group => Significant.Of(part.Begin + group[^1].T))];
        var panels =
            from plan in Plans
            let curves = plan
                .Curves.Select(curve => new ReportCurve(
                    curve.Name,
                    WithGaps(parts.Select(part => Values(curve, part.Groups)), static _ => null)
                ))
                .Where(curve => curve.Values.Any(value => value is not null))
                .ToArray()
            where curves.Length > 0
            select new ReportPanel(plan.Title, plan.Unit, curves);
        return new(together, WithGaps(parts.Select(Times), static last => last), [.. panels]);
    }

    /// <summary>The drain, and what the database did in the background.</summary>
    public static IReadOnlyList<ReportMark> Marks(ScenarioResult scenario, IReadOnlyList<Sample> samples)
    {
        var window = scenario.DurationMs / 1000;
        return
        [
            .. Events(new SampleWindow(0, samples)),
            .. scenario.Drain is { DurationMs: > 0 and var drain }
                ? [new ReportMark(Significant.Of(window), Significant.Of(window + drain / 1000), "drain")]
                : (ReportMark[])[],
        ];
    }

    /// <summary>What the database did in the background.</summary>
    public static IEnumerable<ReportMark> Events(SampleWindow window) =>
        (
            from rising in RisingCounters
            from pair in window.Samples.Zip(window.Samples.Skip(1))
            where Database(pair.Second, rising.Metric) > Database(pair.First, rising.Metric)
            select new ReportMark(Significant.Of(window.BeginSeconds + pair.Second.T), null, rising.Label)
        ).Take(MostMarks);

    /// <summary>
    /// Without the last but one sample when the last comes right behind it: counters that a server tells at the end belong to
    /// the whole interval, and divided by some milliseconds they dwarf everything else on the chart.
    /// </summary>
    private static IEnumerable<Sample> WithoutShortEnd(IReadOnlyList<Sample> samples) =>
        samples is [var first, _, .., var before, var last] && last.T - before.T < ShortEnd * (before.T - first.T) / (samples.Count - 2)
            ? [.. samples.SkipLast(2), last]
            : samples;

    private static IReadOnlyList<T> WithGaps<T>(IEnumerable<IReadOnlyList<T>> parts, Func<T, T?> gap) =>
        [.. parts.Aggregate(new List<T>(), (all, part) => all.Count == 0 ? [.. part] : [.. all, gap(all[^1])!, .. part])];

    private static IReadOnlyList<double?> Values(CurvePlan curve, Sample[][] groups)
    {
        var values = new double?[groups.Length];
        for (var index = 0; index < groups.Length; index++)
        {
            if (curve.IsState)
                values[index] = Significant.Of(groups[index].Average(curve.Read));
            else if (index > 0)
            {
                var (from, to) = (groups[index - 1][^1], groups[index][^1]);
                values[index] = to.T > from.T ? Significant.Of((curve.Read(to) - curve.Read(from)) / (to.T - from.T)) : null;
            }
        }

        return values;
    }

    private static double? Database(Sample sample, string metric) => sample.Database?.GetValueOrDefault(metric);

    private static CurvePlan Rate(string name, Func<Sample, double?> read) => new(name, read, IsState: false);

    private static CurvePlan State(string name, Func<Sample, double?> read) => new(name, read, IsState: true);

    private sealed record PanelPlan(string Title, string Unit, params CurvePlan[] Curves);

    /// <param name="IsState">As it stands; else a counter, whose differences are drawn.</param>
    private sealed record CurvePlan(string Name, Func<Sample, double?> Read, bool IsState);
}

/// <summary>The samples of one measured window.</summary>
/// <param name="BeginSeconds">Start of the window, on the axis that is drawn.</param>
/// <param name="Samples">In order of time.</param>
internal sealed record SampleWindow(double BeginSeconds, IReadOnlyList<Sample> Samples);

namespace Serdica.Perf.Reports.Summary;

internal static class SteadinessSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Last tenth / first",
            "Worst P99 of an interval ms",
            "Interval ms",
            "Warm-up ops",
            "Warm-up s",
            "Drain ms",
            "Warm-up ended"
        )
        {
            EndsWithText = true,
        };
        foreach (var scenario in view.Passed)
        {
            table.Row(
                view.Name(scenario),
                scenario.Timeline is { IsSilentAtFirst: true } ? "nothing in the first"
                    : scenario.Timeline is { TailRatio: null } ? "too short"
                    : Figure.Of(scenario.Timeline?.TailRatio),
                Figure.Of(scenario.Timeline?.ShownWorstP99Ms),
                Figure.Of(scenario.Timeline?.IntervalMs),
                scenario.WarmUp is { } warmUp ? Figure.Of(warmUp.Operations) : Figure.None,
                Figure.Of(scenario.WarmUp?.DurationMs / 1_000),
                Figure.Of(scenario.Drain?.DurationMs),
                scenario.WarmUp?.End is { } end ? Words(end) : Figure.None
            );
        }

        writer.Section(
            "Warm-up, steadiness and drain",
            "Latencies and throughputs above do not include warm-up and drain, unless the table says so.",
            table
        );
    }

    private static string Words(WarmUpEnd end) =>
        end switch
        {
            WarmUpEnd.Steady => "steady",
            WarmUpEnd.TimeLimit => "at its longest time",
            WarmUpEnd.OperationCount => "after its operations",
            _ => "nothing completed",
        };
}

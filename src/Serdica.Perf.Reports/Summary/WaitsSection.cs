namespace Serdica.Perf.Reports.Summary;

/// <summary>What the database's sessions did in each scenario while they were not idle.</summary>
internal static class WaitsSection
{
    private const int Shown = 5;

    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(textColumns: 3, "Scenario", "Class", "Wait", "µs", "Share", "µs per operation", "Samples");
        foreach (var scenario in view.Passed)
        {
            var active = WaitCategories.Active(scenario);
            var all = active.Sum(wait => wait.Microseconds);
            foreach (var (place, wait) in active.Take(Shown).Index())
            {
                table.Row(
                    place == 0 ? view.Name(scenario) : "",
                    wait.Class,
                    wait.Name,
                    Figure.Count(wait.Microseconds),
                    Figure.Share(all > 0 ? wait.Microseconds / all : null),
                    Figure.Of(scenario.Counts.Completed > 0 ? wait.Microseconds / scenario.Counts.Completed : null),
                    Figure.Of(wait.Count)
                );
            }
        }

        writer.Section(
            "Waits of each scenario",
            $"The {Shown} longest of each scenario: `CPU` is running, all others are waits. Sums over all sessions; shares of the time "
                + $"in which sessions were not idle.",
            table
        );
        writer.Reasons("Waits", table, view.Passed, scenario => scenario.WaitsMissing);
    }
}

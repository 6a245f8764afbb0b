namespace Serdica.Perf.Reports.Summary;

/// <summary>Waits over all scenarios of a backend: which one leads, where another does, and what comes behind.</summary>
internal static class DominantWaitsSection
{
    private const int MostWaits = 10;

    public static void Write(TextWriter writer, ReportView view)
    {
        foreach (var backend in view.Passed.Where(scenario => scenario.TopWaits.Count > 0).GroupBy(scenario => scenario.Backend))
        {
            var scenarios = backend.ToArray();
            var leaders = scenarios.Select(ScenarioCells.TopWait).Where(wait => wait != Figure.None).ToArray();
            var waits = scenarios
                .SelectMany(WaitCategories.Active)
                .GroupBy(ScenarioCells.Words)
                .Select(wait => (Name: wait.Key, Kind: WaitCategories.Of(wait.First()), Time: wait.Sum(part => part.Microseconds)))
                .OrderByDescending(wait => wait.Time)
                .ToArray();
            var total = waits.Sum(wait => wait.Time);
            var table = new MarkdownTable(textColumns: 2, "Wait", "Kind", "Leads in", "Microseconds", "Share");
            foreach (var wait in waits.Take(MostWaits))
                table.Row(
                    wait.Name,
                    WaitCategories.Words(wait.Kind),
                    Leads(leaders.Count(leader => leader == wait.Name)),
                    Figure.Count(wait.Time),
                    Figure.Share(wait.Time / total)
                );
            writer.Section($"Dominant waits: {backend.Key}", Sentence(scenarios.Length, leaders), table);
        }
    }

    private static string Sentence(int scenarios, string[] leaders)
    {
        if (leaders.Length == 0)
            return $"Over {Figure.Of(scenarios)} scenarios no session was seen waiting. Running is not a wait.";

        var top = leaders.GroupBy(wait => wait).OrderByDescending(wait => wait.Count()).First();
        return $"`{top.Key}` leads in {Figure.Of(top.Count())} of {Figure.Of(scenarios)} scenarios. Running is listed but is not a wait, "
            + $"so it never leads.";
    }

    private static string Leads(int count) => count == 0 ? Figure.None : Figure.Of(count);
}

using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Reports;

/// <summary>The part of the Markdown report that says what the database's sessions waited for, and what it cost to know that.</summary>
internal static class WaitsSection
{
    private const int Shown = 5;

    /// <param name="writer">Where to.</param>
    /// <param name="scenarios">By the name that the report gives them.</param>
    public static void Write(TextWriter writer, IReadOnlyList<(string Name, ScenarioResult Result)> scenarios)
    {
        WriteWaits(writer, scenarios);
        WriteStatements(writer, scenarios);
        WriteCollectors(writer, scenarios);
    }

    private static void WriteWaits(TextWriter writer, IReadOnlyList<(string Name, ScenarioResult Result)> scenarios)
    {
        var table = new MarkdownTable(textColumns: 3, "Scenario", "Class", "Wait", "us", "Share", "us per operation", "Samples");
        foreach (var (name, result) in scenarios)
        {
            var all = result.TopWaits.Sum(wait => wait.Microseconds);
            foreach (var wait in result.TopWaits.Take(Shown))
            {
                table.Row(
                    name, wait.Class, wait.Name, Figure.Of((long)wait.Microseconds), Figure.Percent(all > 0 ? wait.Microseconds / all * 100 : 0),
                    Figure.Of(result.Counts.Completed > 0 ? wait.Microseconds / result.Counts.Completed : null), Figure.Of(wait.Count));
            }
        }

        WriteTable(
            writer, "Dominant waits",
            $"What the engine's database sessions did while they were not idle, the {Shown} most of each scenario: `CPU` ran, all others waited. Sums over all sessions; shares are of the whole time that was not idle.",
            table, scenarios, result => result.WaitsMissing);
    }

    private static void WriteStatements(TextWriter writer, IReadOnlyList<(string Name, ScenarioResult Result)> scenarios)
    {
        var table = new MarkdownTable(textColumns: 2, "Scenario", "Statement", "Calls", "ms", "ms per call", "Rows", "Log bytes");
        foreach (var (name, result) in scenarios)
        {
            foreach (var statement in result.TopStatements.Take(Shown))
            {
                table.Row(
                    name, $"`{statement.Text.Replace('`', '\'')}`", Figure.Of(statement.Calls), Figure.Of(statement.Milliseconds),
                    Figure.Of(statement.Milliseconds / statement.Calls), Figure.Of(statement.Rows), Figure.Of(statement.LogBytes));
            }
        }

        WriteTable(
            writer, "Costliest statements",
            $"By their time in the server, the {Shown} most of each scenario. A commit that ends a statement by itself is not in its time.",
            table, scenarios, result => result.StatementsMissing);
    }

    private static void WriteCollectors(TextWriter writer, IReadOnlyList<(string Name, ScenarioResult Result)> scenarios)
    {
        var table = new MarkdownTable(textColumns: 1, "Scenario", "Samples", "Skipped", "Failed", "Time ms", "Share of window", "Processor ms", "Share of processors");
        foreach (var (name, result) in scenarios)
        {
            if (result.Collectors is { } cost)
                table.Row(
                    name, Figure.Of((long)cost.Samples), Figure.Of((long)cost.Skipped), Figure.Of((long)cost.Failed), Figure.Of(cost.TimeMs),
                    Figure.Percent(cost.ShareOfWindow * 100), Figure.Of(cost.CpuMs),
                    cost.ShareOfProcessors is { } share ? Figure.Percent(share * 100) : Figure.None);
        }

        WriteTable(
            writer, "What the collectors cost",
            "Time that looks at server, process and machine took, waiting for a processor and for the server included; and processor time of the thread that samples waits and of the server's sessions for the statistics.",
            table, scenarios, _ => null);
    }

    /// <summary>The table, or the reasons why there is none.</summary>
    private static void WriteTable(
        TextWriter writer,
        string heading,
        string sentence,
        MarkdownTable table,
        IReadOnlyList<(string Name, ScenarioResult Result)> scenarios,
        Func<ScenarioResult, string?> missing)
    {
        var reasons = scenarios.Select(scenario => (scenario.Result.Backend, Reason: missing(scenario.Result))).Where(entry => entry.Reason is not null).Distinct().ToList();
        if (table.IsEmpty && reasons.Count == 0)
            return;

        writer.Write($"\n## {heading}\n\n");
        if (!table.IsEmpty)
        {
            writer.Write($"{sentence}\n\n");
            table.Write(writer);
        }

        foreach (var (backend, reason) in reasons)
            writer.Write($"{(table.IsEmpty ? "" : "\n")}{backend}: {reason}\n");
    }
}

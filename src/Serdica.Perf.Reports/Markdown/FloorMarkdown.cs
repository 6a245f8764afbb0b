using Serdica.Perf.Analysis.Floors;

namespace Serdica.Perf.Reports.Markdown;

/// <summary><c>floor.md</c>: the engine beside raw SQL, with every measurement. Pure.</summary>
internal static class FloorMarkdown
{
    public static void Write(TextWriter writer, FloorResult result)
    {
        writer.Write("# The floor of a machine\n\n");
        if (result.StatusReason is { } reason)
            writer.Write($"**{result.Status.ToString().ToUpperInvariant()}**: {reason}\n\n");
        if (result.Database is { } database)
            writer.Write($"- {Words(database)}\n");
        writer.Write(
            $"- {(result.Environment is { } environment ? Words(environment) : "No run of the engine has ended.")}\n"
                + "- Floor: pgbench with the three single-row commits of a round trip (`floor.sql`), without an engine, over one "
                + "connection "
                + "per caller, 64 at most. Engine: `serdica-perf run` with 2 workers and a closed load.\n"
                + $"- In turn on one server: {string.Join(", ", FloorFigure.Order.Select(Words))}. {result.Method}\n\n"
        );
        WriteTable(writer, result);
        var table = new MarkdownTable(
            textColumns: 1,
            "Side",
            "Callers",
            "Block",
            "Round trips/s",
            "Log bytes",
            "Ended at, UTC",
            "Load average"
        );
        foreach (var figure in result.Figures)
        {
            table.Row(
                Words(figure.Side),
                Figure.Of(figure.Callers),
                Figure.Of(figure.Block),
                Figure.Count(figure.PerSecond),
                Figure.Count(figure.WalBytes),
                figure.EndedAt.UtcDateTime.ToString("HH:mm:ss", CultureInfo.InvariantCulture),
                Figure.Of(figure.LoadAverage)
            );
        }

        writer.Section("Every measurement", "", table);
        writer.HowToRepeat(result.Command);
    }

    /// <summary>A row for each number of callers; nothing when there is none.</summary>
    public static void WriteTable(TextWriter writer, FloorResult result)
    {
        var table = new MarkdownTable(
            textColumns: 0,
            "Callers",
            "Floor/s: median (lowest to highest)",
            "Engine/s: median (lowest to highest)",
            "Engine over floor: median (lowest to highest)",
            "Log bytes, floor",
            "Log bytes, engine"
        );
        foreach (var level in result.Levels)
        {
            table.Row(
                Figure.Of(level.Callers),
                Words(level.Floor, "N0"),
                Words(level.Engine, "N0"),
                Words(level.Ratio, "N2"),
                Figure.Count(level.FloorWalBytes),
                Figure.Count(level.EngineWalBytes)
            );
        }

        if (!table.IsEmpty)
            table.Write(writer);
    }

    /// <summary>For progress.</summary>
    public static string Sentence(FloorFigure figure, int blocks)
    {
        return $"{Figure.Number(figure.Callers, "caller")}, block {figure.Block} of {blocks}, {Words(figure.Side)}: "
            + Invariant($"{figure.PerSecond:N0}/s");
    }

    private static string Words(FloorSide side) => side == FloorSide.Floor ? "floor" : "engine";

    private static string Words(DatabaseDescription database) =>
        $"{database.Product} {database.Version} ({database.Source}): "
        + string.Join(", ", database.Settings.Select(setting => $"{setting.Key} {setting.Value}"));

    private static string Words(EnvironmentFingerprint environment) =>
        $"{environment.Machine.MachineName}; "
        + (environment.Source.Commit is { } commit ? $"commit {commit[..12]}" : "unknown commit")
        + (environment.Source.Dirty == true ? " with changes" : "")
        + (environment.Runtime.EntryConfiguration is { } configuration ? $", {configuration} build" : "");

    private static string Words(Spread spread, string format)
    {
        string Text(double value) => value.ToString(format, CultureInfo.InvariantCulture);
        return $"{Text(spread.Median)} ({Text(spread.Min)} to {Text(spread.Max)})";
    }
}

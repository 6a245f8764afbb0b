using System.IO.Enumeration;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`trend`: the figures from commit to commit, and where they changed.</summary>
internal sealed class TrendCommand
{
    private const string Examples = """
        Examples:
          serdica-perf trend
            All scenarios of the history.
          serdica-perf trend --scenario "postgresql-*" --metric throughput,cost.walBytes
            Some scenarios and metrics.
          serdica-perf trend --json
            The points and the indices of the change points, for a chart.

        Exit codes:
          0  printed
          1  the file of --markdown cannot be written
          2  there is no such history or scenario, or a line of it cannot be read
        """;

    /// <summary>The metrics that most readers want; the history has the others.</summary>
    public static readonly IReadOnlyList<string> DefaultMetrics = [ComparedMetric.Throughput, "p50", "p99"];

    private readonly TextWriter _output;
    private readonly Option<string?> _history = HistoryCommand.FileOption();
    private readonly Option<string?> _scenario = new("--scenario")
    {
        HelpName = "NAME",
        Description = "Scenarios with their backend as a prefix; * matches any text. Default all.",
    };

    private readonly Option<string[]> _metrics = new("--metric")
    {
        HelpName = "NAME",
        Description = $"Metrics, comma-separated or repeated, for instance cost.walBytes. Default {string.Join(',', DefaultMetrics)}.",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<string?> _markdown = new("--markdown")
    {
        HelpName = "FILE",
        Description = "Writes the series to this file as Markdown too.",
    };

    private readonly Option<bool> _json = new("--json") { Description = "Prints the series with their points and change points as JSON." };

    public TrendCommand(TextWriter output)
    {
        _output = output;
        Command = new DocumentedCommand("trend", "Prints the figures from commit to commit and where they changed.", Examples)
        {
            _history,
            _scenario,
            _metrics,
            _markdown,
            _json,
        };
        Command.SetAction(Show);
    }

    public Command Command { get; }

    private int Show(ParseResult parsed)
    {
        var file = parsed.GetValue(_history) ?? HistoryFile.DefaultPath;
        var scenario = parsed.GetValue(_scenario);
        var history = Read(file, scenario ?? "*");
        var metrics = OptionDeclarations.Split(parsed.GetValue(_metrics) is { Length: > 0 } named ? named : [.. DefaultMetrics]);
        if (parsed.GetValue(_metrics) is { Length: > 0 })
            Check(metrics, history, scenario is null ? $"'{file}'" : $"'{file}' of '{scenario}'");
        var trends = TrendSeries.Of(history, metrics);
        if (parsed.GetValue(_json))
            _output.WriteLine(JsonSerializer.Serialize(trends, MeasurementJson.Artifacts));
        else
            TrendSummary.Write(_output, trends);
        if (parsed.GetValue(_markdown) is { } page)
            MarkdownFile.Write(page, text => TrendMarkdown.Write(text, trends));
        return ExitCodes.Success;
    }

    private static HistoryLine[] Read(string file, string scenario)
    {
        var history = HistoryFile.Read(file);
        if (history.Count == 0)
            throw new UsageException($"There is no history '{file}'; 'serdica-perf history add RUN' creates one.");
        var chosen = history.Where(line => FileSystemName.MatchesSimpleExpression(scenario, line.Name, ignoreCase: false)).ToArray();
        return chosen.Length > 0
            ? chosen
            : throw new UsageException(
                $"The history '{file}' has no scenario '{scenario}'; it has "
                    + $"{string.Join(", ", history.Select(line => line.Name).Distinct())}."
                    + ClosestName.Question(scenario, history.Select(line => line.Name).Distinct())
            );
    }

    private static void Check(IEnumerable<string> metrics, IEnumerable<HistoryLine> history, string name)
    {
        string[] names = [.. history.SelectMany(line => line.Figures.Keys).Distinct().Order(StringComparer.Ordinal)];
        if (metrics.FirstOrDefault(metric => !names.Contains(metric)) is { } unknown)
        {
            throw new UsageException(
                $"The history {name} has no metric '{unknown}'; it has {string.Join(", ", names)}.{ClosestName.Question(unknown, names)}"
            );
        }
    }
}

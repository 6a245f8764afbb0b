namespace Serdica.Perf.Cli.Commands;

/// <summary>`history add`: keeps the figures of a commit and reports change points.</summary>
internal sealed class HistoryCommand
{
    private const string Examples = """
        Examples:
          serdica-perf history add TestResults/workflow-performance/<run>
            Adds one line for each scenario and prints new change points. Commit the
            file.

        Exit codes:
          0  added
          1  the history cannot be written; nothing was added
          2  the run did not pass, was built with uncommitted changes, or is already in
             the history; nothing was added
        """;

    private readonly TextWriter _output;
    private readonly Argument<string> _run = new("RUN")
    {
        Description = "A run folder, the summary.json in it, or the .json.gz of a published baseline.",
    };

    private readonly Option<string?> _history = FileOption();

    public HistoryCommand(TextWriter output)
    {
        _output = output;
        var add = new DocumentedCommand(
            "add",
            "Appends one line for each scenario of a run that passed, and prints new change points.",
            Examples
        )
        {
            _run,
            _history,
        };
        add.SetAction(parsed => Add(parsed.GetValue(_run)!, parsed.GetValue(_history) ?? HistoryFile.DefaultPath));
        Command = new DocumentedCommand("history", "Keeps the figures of commits in a file that belongs in git.", Examples) { add };
    }

    public Command Command { get; }

    /// <summary>A history must exist only when it was named.</summary>
    public static void CheckNamed(string? named)
    {
        if (named is not null && !File.Exists(named))
            throw new UsageException($"There is no history '{named}'; 'serdica-perf history add RUN' creates one.");
    }

    public static Option<string?> FileOption() =>
        new("--history") { HelpName = "FILE", Description = $"The history file. Default {HistoryFile.DefaultPath.Replace('\\', '/')}." };

    private int Add(string run, string file)
    {
        var lines = HistoryLine.Of(BaselineReader.Read(run));
        var before = HistoryFile.Read(file);
        var added = HistoryFile.Append(file, lines);
        _output.WriteLine($"Added to {file}: {Figure.Number(added.Count, "line")} of commit {lines[0].Commit[..12]}.");
        if (added.Count < lines.Count)
        {
            _output.WriteLine(
                "Left out, because the history already has them for this commit: "
                    + $"{string.Join(", ", lines.Except(added).Select(line => line.Name))}."
            );
        }

        WriteNewChanges(before, [.. before, .. added], [.. added.Select(line => line.Series)]);
        return ExitCodes.Success;
    }

    /// <summary>A change becomes visible some commits later, when there are enough of them.</summary>
    private void WriteNewChanges(IReadOnlyList<HistoryLine> before, IReadOnlyList<HistoryLine> after, HashSet<string> touched)
    {
        static IEnumerable<(TrendSeries Series, ChangePoint Change)> Changes(IEnumerable<HistoryLine> lines, HashSet<string> touched) =>
            TrendSeries
                .Of([.. lines.Where(line => touched.Contains(line.Series))], TrendCommand.DefaultMetrics)
                .SelectMany(series => series.ChangePoints.Select(change => (series, change)));

        // By its commit: a run that is added late moves the indexes of the points after it.
        static (string Series, string Metric, string Commit) Key((TrendSeries Series, ChangePoint Change) found) =>
            (found.Series.Series, found.Series.Metric, found.Series.Points[found.Change.Index].Commit);

        var known = Changes(before, touched).Select(Key).ToHashSet();
        foreach (var (series, change) in Changes(after, touched).Where(found => !known.Contains(Key(found))))
            _output.WriteLine($"New change point: {series.Name} {series.Metric} at {TrendText.Change(series, change)}");
    }
}

namespace Serdica.Perf.Cli.Commands;

/// <summary>`compare`: what changed from one run to another, and whether the gate lets it through.</summary>
internal sealed class CompareCommand
{
    private const string Examples = """
        Examples:
          serdica-perf compare <run before> <run after>
            What changed. Measure both with at least --repeat 5, better 10. Fewer
            repeats cannot distinguish a change from chance.
          serdica-perf compare <baseline> <run> --gate perf-gate.json
            Also judges limits, and exits with 3 when one is exceeded.
          serdica-perf compare <run> <run> --noise-from <run 1> \
              --noise-from <run 2> --noise-from <run 3>
            Runs of the same code on different days show how much results vary
            without a change. A smaller difference does not count as a change.

        Exit codes:
          0  compared; with --gate, no limit was exceeded, and speed was judged
             for every scenario that has a limit on it
          1  the file of --markdown cannot be written; the verdict is printed
          2  a run or the gate's file cannot be read; nothing was compared
          3  a limit of the gate was exceeded, or the candidate lacks or failed a
             scenario of the base
          5  no figure could be compared; or the gate could judge nothing, could
             not judge the speed of a scenario, or the candidate's run was
             aborted or not verified; the reason is printed
        """;

    private const string RunDescription = "A run folder, the summary.json in it, or the .json.gz of a published baseline.";

    private readonly TextWriter _output;
    private readonly TimeProvider _time;
    private readonly Argument<string> _base = new("BASE") { Description = RunDescription };
    private readonly Argument<string> _candidate = new("CANDIDATE") { Description = RunDescription };
    private readonly Option<bool> _allowUnlike = new("--allow-unlike")
    {
        Description = "Also compares runs with different conditions, and shows a banner that lists the differences.",
    };

    private readonly Option<string[]> _noiseFrom = new("--noise-from")
    {
        HelpName = "RUN",
        Description =
            $"Runs of the same code, at least {RunNoise.FewestRuns}; repeat the option. "
            + "The noise between runs is estimated from them instead of from the history.",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<string?> _history = HistoryCommand.FileOption();

    private readonly Option<string?> _gate = new("--gate")
    {
        HelpName = "FILE",
        Description =
            "Limits, for instance perf-gate.json; the exit code is 3 when one is exceeded, and 5 when too little could be judged.",
    };

    private readonly Option<string?> _markdown = new("--markdown")
    {
        HelpName = "FILE",
        Description = "Writes the comparison to this file as Markdown too.",
    };

    private readonly Option<bool> _json = new("--json") { Description = "Prints the comparison as JSON." };

    public CompareCommand(TextWriter output, TimeProvider time)
    {
        (_output, _time) = (output, time);
        Command = new DocumentedCommand(
            "compare",
            "Reports what became faster or slower from BASE to CANDIDATE, and what is inconclusive.",
            Examples
        )
        {
            _base,
            _candidate,
            _allowUnlike,
            _noiseFrom,
            _history,
            _gate,
            _markdown,
            _json,
        };
        Command.SetAction(Compare);
    }

    public Command Command { get; }

    private int Compare(ParseResult parsed)
    {
        var (allowUnlike, gateFile) = (parsed.GetValue(_allowUnlike), parsed.GetValue(_gate));
        if (allowUnlike && gateFile is not null)
        {
            throw new UsageException(
                "--allow-unlike compares runs with different conditions, which a gate cannot judge; leave --allow-unlike or --gate out."
            );
        }

        HistoryCommand.CheckNamed(parsed.GetValue(_history));
        var (first, second) = (parsed.GetValue(_base)!, parsed.GetValue(_candidate)!);
        // Each gate on changes would hold, whatever was measured.
        if (gateFile is not null && BaselineReader.FileOf(first) == BaselineReader.FileOf(second))
            throw new UsageException($"BASE and CANDIDATE are both '{first}', and a gate needs two runs; name another one.");

        var (before, after) = (BaselineReader.Read(first), BaselineReader.Read(second));
        var gate = gateFile is null
            ? null
            : GateNames.Check(
                GateReader.Read(gateFile),
                gateFile,
                before.Scenarios.Concat(after.Scenarios).Select(scenario => scenario.Name)
            );
        var settings = gate?.Comparison ?? ComparisonSettings.Default;
        var comparison = parsed.GetValue(_noiseFrom) is { Length: > 0 } runs
            ? RunComparer.Compare(before, after, settings with { BetweenRuns = RunNoises.Learn(Different(runs), before) }, allowUnlike)
            : KnownNoise.Compare(before, after, settings, HistoryFile.Read(parsed.GetValue(_history)), allowUnlike);
        var result = gate is null ? null : Gate.Judge(gate, comparison, after, DateOnly.FromDateTime(_time.GetUtcNow().UtcDateTime));

        if (parsed.GetValue(_json))
            _output.WriteLine(JsonSerializer.Serialize(new { Comparison = comparison, Gate = result }, MeasurementJson.Artifacts));
        else
            ComparisonSummary.Write(_output, comparison, result);

        // After the verdict, which must not be lost with the file.
        if (parsed.GetValue(_markdown) is { } file)
            MarkdownFile.Write(file, text => ComparisonMarkdown.Write(text, comparison, result));
        return result is null && comparison.ComparedNothing ? ExitCodes.NotJudged : ExitCodes.Of(result?.Outcome);
    }

    /// <summary>One run read more than once would show no noise, and every difference would count as a change.</summary>
    private static RunResult[] Different(string[] paths)
    {
        var runs = paths.Select(BaselineReader.Read).ToArray();
        return runs.CountBy(run => run.RunId).FirstOrDefault(count => count.Value > 1) is { Key: { } twice }
            ? throw new UsageException($"--noise-from names the run {twice} more than once; name {RunNoise.FewestRuns} different runs.")
            : runs;
    }
}

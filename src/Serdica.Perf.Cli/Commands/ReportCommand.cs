using System.ComponentModel;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`report`: one file about one run or several.</summary>
internal sealed class ReportCommand
{
    private const string Examples = """
        Examples:
          serdica-perf report TestResults/workflow-performance/<run> --open
            Writes report.html into the run folder and opens it.
          serdica-perf report <run> --base <baseline> --output pull-request.md
            The answers and what changed, short enough for a comment on a pull request.
          serdica-perf report <run on one database> <run on another> \
              --output databases.html
            Both on one page.

        Exit codes:
          0  written
          1  written without a run that cannot be read; or the file cannot be written
          2  no run can be read, or the extension of the file is unknown; nothing was
             written
        """;

    private static readonly string[] Endings = [".html", ".md", ".csv", ".json"];

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly Argument<string[]> _runs = new("RUN")
    {
        Description = "Run folders, their summary.json, or published baselines.",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<string?> _base = new("--base")
    {
        HelpName = "RUN",
        Description = "The run or published baseline that the last RUN is compared with.",
    };

    private readonly Option<string?> _history = HistoryCommand.FileOption();
    private readonly Option<bool> _allowUnlike = new("--allow-unlike")
    {
        Description = "Also compares runs with different conditions, and shows a banner that lists the differences.",
    };

    private readonly Option<string?> _file = new("--output")
    {
        HelpName = "FILE",
        Description =
            $"The file to write. Its extension sets the format: {string.Join(", ", Endings)}. "
            + $"Default {RunFolder.PageFile}, in the run folder for one run without a base; otherwise, and for "
            + "a run that is kept in a folder of baselines, in the current folder.",
    };

    private readonly Option<bool> _open = new("--open") { Description = "Opens the file with the system's program for it." };

    public ReportCommand(TextWriter output, TextWriter error)
    {
        (_output, _error) = (output, error);
        Command = new DocumentedCommand(
            "report",
            "Writes one file that opens offline: did the run pass, how fast was it, what limits it, what changed.",
            Examples
        )
        {
            _runs,
            _base,
            _allowUnlike,
            _history,
            _file,
            _open,
        };
        Command.SetAction(Write);
    }

    public Command Command { get; }

    private int Write(ParseResult parsed)
    {
        var (paths, basePath) = (parsed.GetValue(_runs)!, parsed.GetValue(_base));
        var file = parsed.GetValue(_file) ?? DefaultFile(paths, basePath);
        var ending = Path.GetExtension(file).ToLowerInvariant();
        if (!Endings.Contains(ending))
            throw new UsageException($"'{file}' has the extension '{ending}'; a report can be {string.Join(", ", Endings)}.");
        if (
            Path.GetFileName(file) is RunFolder.SummaryFile or RunFolder.ManifestFile or RunFolder.LoadFile or RunFolder.QueueFile
            && JsonFile.Exists(Path.GetDirectoryName(Path.GetFullPath(file))!, RunFolder.SummaryFile)
        )
            throw new UsageException($"'{file}' is a result of a run, which a report would replace; name another file.");
        if (basePath is null && parsed.GetValue(_allowUnlike))
            throw new UsageException("--allow-unlike needs a comparison; name the base with --base.");

        var readable = ReadableRuns.Read(paths.Select(path => (path, path)));
        var before = basePath is null || !readable.HasLast ? null : BaselineReader.Read(basePath);
        var comparison = before is null
            ? null
            : KnownNoise.Compare(
                before,
                readable.Runs[^1].Run,
                ComparisonSettings.Default,
                HistoryFile.Read(parsed.GetValue(_history)),
                parsed.GetValue(_allowUnlike)
            );
        var trends = Trends(parsed.GetValue(_history), readable.Runs);
        var write = Form(ending, readable, comparison, trends, readable.Offer(basePath, before, parsed.GetValue(_history)));
        WholeFile.Write(file, stream =>
        {
            using var writer = new StreamWriter(stream);
            write(writer);
        });

        _output.WriteLine($"Written: {file}");
        if (parsed.GetValue(_open))
            Open(file);
        foreach (var sentence in readable.LeftOut)
            _error.WriteLine(sentence);
        return readable.LeftOut.Count == 0 ? ExitCodes.Success : ExitCodes.Failed;
    }

    private static string DefaultFile(string[] paths, string? basePath) =>
        paths is [var only] && basePath is null && Directory.Exists(only) && !Baselines.Contain(only)
            ? Path.Combine(only, RunFolder.PageFile)
        : !Baselines.Contain(RunFolder.PageFile) ? RunFolder.PageFile
        : throw new UsageException("The current folder holds baselines, where a report needs a name: add --output FILE.");

    /// <summary>Whatever can fail because of the runs' content fails here, before there is a file.</summary>
    private static Action<TextWriter> Form(
        string ending,
        ReadableRuns runs,
        RunComparison? comparison,
        IReadOnlyList<ReportTrend> trends,
        BaseOffer? offer
    )
    {
        if (ending == ".csv")
            return writer => CsvReport.Write(writer, runs.Runs.Select(run => run.Run));

        var document = ReportBuilder.Build(runs.Runs, comparison, trends, offer) with { LeftOut = runs.LeftOut };
        return ending switch
        {
            ".md" => writer => PullRequestMarkdown.Write(writer, document),
            ".json" => writer => writer.Write(ReportJson.Of(document) + "\n"),
            _ => writer => HtmlReport.Write(writer, document),
        };
    }

    /// <summary>The history of the runs' scenarios; it must exist only when it was named.</summary>
    private static IReadOnlyList<ReportTrend> Trends(string? named, IReadOnlyList<RunArtifacts> runs)
    {
        HistoryCommand.CheckNamed(named);
        var names = runs.SelectMany(run => run.Run.Scenarios).Select(scenario => scenario.Name).ToHashSet();
        return
        [
            .. TrendSeries
                .Of(
                    [.. HistoryFile.Read(named).Where(line => names.Contains(line.Name))],
                    TrendCommand.DefaultMetrics
                )
                .Select(ReportTrend.Of),
        ];
    }

    private void Open(string file)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(Path.GetFullPath(file)) { UseShellExecute = true });
        }
        catch (Win32Exception error)
        {
            _output.WriteLine($"The report cannot be opened from here: {error.Message}");
        }
    }
}

using Serdica.Perf.Analysis.Recomputing;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`baseline publish` writes two documents of a run that may be public; `baseline check` recomputes the figures of one.</summary>
internal sealed class BaselineCommand
{
    private const string PublishExamples = """
        Examples:
          serdica-perf baseline publish TestResults/workflow-performance/<run>
            Writes docs/baselines/11-postgresql-performance-baseline-2026-11-21.md and
            .json.gz, with the next free number.

        Exit codes:
          0  published
          1  a file cannot be written; nothing was published
          2  the run failed, was aborted, used a Debug build or lacks raw data, or the
             number is taken; nothing was written
        """;

    private const string CheckExamples = """
        Examples:
          serdica-perf baseline check docs/baselines/<name>.json.gz
            Recomputes throughput, latencies, timelines, costs, repeats and levels from
            the raw data in the file.

        Exit codes:
          0  all figures are those of the raw data
          1  a figure differs from the raw data, or raw data are missing
          2  the file cannot be read
        """;

    private const string Examples = """
        Examples:
          serdica-perf baseline publish TestResults/workflow-performance/<run>
          serdica-perf baseline check docs/baselines/<name>.json.gz

        Exit codes:
          See the help of the two commands.
        """;

    private const int MaxNumber = 9_999;

    private readonly TextWriter _output;
    private readonly Argument<string> _run = new("RUN") { Description = "A run folder, or the summary.json in it." };
    private readonly Argument<string> _checked = new("BASELINE")
    {
        Description = "A published baseline, a run folder, or the summary.json in it.",
    };
    private readonly Option<int?> _number = NumberOption.Create(
        "--number",
        "The number of the baseline. Default the one after the highest in the folder, or 1.",
        1,
        MaxNumber
    );
    private readonly Option<string?> _folder = new("--output")
    {
        HelpName = "DIR",
        Description = $"The folder of the baselines. Default {BaselinePublisher.DefaultFolder.Replace('\\', '/')}.",
    };

    private readonly Option<bool> _inMemory = new("--in-memory") { Description = "Publishes the in-memory backend too." };

    public BaselineCommand(TextWriter output)
    {
        _output = output;
        var publish = new DocumentedCommand(
            "publish",
            "Writes Markdown and compressed JSON for each backend of a run that passed, without paths and secrets.",
            PublishExamples
        )
        {
            _run,
            _number,
            _folder,
            _inMemory,
        };
        publish.SetAction(Publish);
        var check = new DocumentedCommand("check", "Recomputes the figures of a baseline or run from its raw data.", CheckExamples)
        {
            _checked,
        };
        check.SetAction(Check);
        Command = new DocumentedCommand("baseline", "Publishes and checks baselines: runs that are kept for comparison.", Examples)
        {
            publish,
            check,
        };
    }

    public Command Command { get; }

    private int Publish(ParseResult parsed)
    {
        var files = BaselinePublisher.Publish(
            RunArtifacts.Read(parsed.GetValue(_run)!),
            parsed.GetValue(_folder) ?? BaselinePublisher.DefaultFolder,
            parsed.GetValue(_number),
            parsed.GetValue(_inMemory)
        );
        foreach (var file in files)
            _output.WriteLine($"Published {file}");
        return ExitCodes.Success;
    }

    private int Check(ParseResult parsed)
    {
        var recomputed = Recomputation.Of(parsed.GetValue(_checked)!);
        foreach (var sentence in recomputed.Wrong)
            _output.WriteLine(sentence);
        if (recomputed.Wrong.Count > 0)
            return ExitCodes.Failed;

        _output.WriteLine(Invariant($"All {recomputed.Figures:N0} figures are those of the raw data."));
        return ExitCodes.Success;
    }
}

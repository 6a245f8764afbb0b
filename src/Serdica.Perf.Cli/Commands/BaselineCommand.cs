using System.CommandLine;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Reports;
using Serdica.Perf.Results.Folders;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`baseline publish`: writes two documents of a run that may be public.</summary>
internal sealed class BaselineCommand
{
    private const string Examples = """
        Examples:
          serdica-perf baseline publish TestResults/workflow-performance/<run>
            Writes docs/baselines/11-postgresql-performance-baseline-2026-11-21.md and
            .json, with the next free number.

        Exit codes:
          0  published
          2  the run failed, was aborted or used a Debug build, or the number is taken;
             nothing was written
        """;

    private const int MaxNumber = 9_999;

    private readonly TextWriter _output;
    private readonly Argument<string> _run = new("RUN") { Description = "A run folder, or the summary.json in it." };
    private readonly Option<int?> _number = NumberOption.Create(
        "--number", "The number of the baseline. Default the next free one.", 1, MaxNumber);
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
            "Writes Markdown and JSON for each backend of a run that passed, without paths and secrets.",
            Examples)
        {
            _run, _number, _folder, _inMemory,
        };
        publish.SetAction(Publish);
        Command = new DocumentedCommand("baseline", "Publishes baselines: runs that are kept for comparison.", Examples) { publish };
    }

    public Command Command { get; }

    private int Publish(ParseResult parsed)
    {
        var run = BaselineReader.Read(parsed.GetValue(_run)!);
        var files = BaselinePublisher.Publish(
            run, parsed.GetValue(_folder) ?? BaselinePublisher.DefaultFolder, parsed.GetValue(_number), parsed.GetValue(_inMemory));
        foreach (var file in files)
            _output.WriteLine($"Published {file}");
        return ExitCodes.Success;
    }
}

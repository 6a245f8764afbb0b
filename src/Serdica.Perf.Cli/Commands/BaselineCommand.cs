using System.CommandLine;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Reports;
using Serdica.Perf.Results.Folders;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`baseline publish`: makes a pair of documents of a run that may be shown to anybody.</summary>
internal sealed class BaselineCommand
{
    private const int MaxNumber = 9_999;

    private readonly TextWriter _output;
    private readonly Argument<string> _run = new("RUN") { Description = "A run folder, or the summary.json in it." };
    private readonly Option<int?> _number = NumberOption.Create("--number", "The baseline's number. Default the next free one.", 1, MaxNumber);
    private readonly Option<string?> _folder = new("--output") { HelpName = "DIR", Description = $"Where baselines are kept. Default {BaselinePublisher.DefaultFolder.Replace('\\', '/')}." };
    private readonly Option<bool> _inMemory = new("--in-memory") { Description = "Publish the in-memory backend too." };

    public BaselineCommand(TextWriter output)
    {
        _output = output;
        var publish = new Command("publish", "Writes Markdown and JSON of a run that has passed, one pair for each backend, without paths and secrets.")
        {
            _run, _number, _folder, _inMemory,
        };
        publish.SetAction(Publish);
        Command = new("baseline", "Baselines that are kept and compared with.") { publish };
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

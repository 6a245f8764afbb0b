using Serdica.Perf.Faults.Checking;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`check-history`: judges a run by the history that its processes have written.</summary>
internal sealed class CheckHistoryCommand
{
    private const string Examples = """
        Examples:
          serdica-perf check-history run/history
            Judges the 16 invariants, and shows the lines of each violation.
          serdica-perf check-history run/history --require 1,2,3,9
            Requires only these invariants; the others may be unproven.

        Exit codes:
          0  proven: all required invariants were judged, and none is violated
          1  an invariant is violated; the witnesses are printed; or a file cannot be
             written
          2  the folder has no history, or a damaged one; nothing was judged
          5  unproven: a required invariant had nothing to judge
        """;

    private readonly TextWriter _output;
    private readonly Argument<string> _folder = new("FOLDER")
    {
        Description = "The folder with the history: one file *.ndjson per process.",
    };
    private readonly Option<string?> _require = new("--require")
    {
        HelpName = "NUMBERS",
        Description = "The invariants that must be judged, by number, comma-separated. The default is what the run requires.",
    };

    private readonly Option<bool> _json = new("--json") { Description = "Prints the report as JSON." };

    public CheckHistoryCommand(TextWriter output)
    {
        _output = output;
        Command = new DocumentedCommand("check-history", "Checks the history of a run under faults against the 16 invariants.", Examples)
        {
            _folder,
            _require,
            _json,
        };
        Command.SetAction((parsed, cancellationToken) => Task.FromResult(Check(parsed, cancellationToken)));
    }

    public Command Command { get; }

    private int Check(ParseResult parsed, CancellationToken cancellationToken)
    {
        var required = Required(parsed.GetValue(_require));
        var report = Read(parsed.GetValue(_folder)!, cancellationToken);
        if (parsed.GetValue(_json))
            _output.WriteLine(
                JsonSerializer.Serialize(new { Verdict = report.Verdict(required), Report = report }, MeasurementJson.Artifacts)
            );
        else
            CheckReportText.Write(_output, report, required);
        return report.Verdict(required) switch
        {
            InvariantVerdict.Held => ExitCodes.Success,
            InvariantVerdict.Violated => ExitCodes.Failed,
            _ => ExitCodes.NotJudged,
        };
    }

    private static CheckReport Read(string folder, CancellationToken cancellationToken)
    {
        try
        {
            return HistoryChecker.Check(folder, cancellationToken);
        }
        catch (Exception e) when (e is DirectoryNotFoundException or InvalidDataException)
        {
            throw new UsageException(e.Message);
        }
    }

    private static int[]? Required(string? text)
    {
        if (text is null)
            return null;
        return
        [
            .. text.Split(',', TrimEntries)
                .Select(part =>
                    int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number is >= 1 and <= 16
                        ? number
                        : throw new UsageException($"--require has '{part}'; it takes the numbers of invariants, 1 to 16, such as 1,2,9.")
                ),
        ];
    }
}

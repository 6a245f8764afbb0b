using Serdica.Perf.Reports.Summary;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`backends`: results of several databases side by side, with the reference.</summary>
internal sealed class BackendsCommand
{
    private const string Examples = """
        Examples:
          serdica-perf backends <run on PostgreSQL> <run on MongoDB> > backends.md
            Both side by side, with the figures of the Oracle AQ reference.

        Exit codes:
          0  printed
          2  a run cannot be read
        """;

    private readonly TextWriter _output;
    private readonly Argument<string[]> _runs = new("RUN")
    {
        Description = "Run folders, their summary.json, or published baselines.",
        Arity = ArgumentArity.OneOrMore,
    };

    public BackendsCommand(TextWriter output)
    {
        _output = output;
        Command = new DocumentedCommand(
            "backends",
            "Prints the backends of the runs side by side as Markdown, with the Oracle AQ reference.",
            Examples
        )
        {
            _runs,
        };
        Command.SetAction(Print);
    }

    public Command Command { get; }

    private int Print(ParseResult parsed)
    {
        BackendComparisonMarkdown.Write(_output, [.. parsed.GetValue(_runs)!.Select(BaselineReader.Read)]);
        return ExitCodes.Success;
    }
}

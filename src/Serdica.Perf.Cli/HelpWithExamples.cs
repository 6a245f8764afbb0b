using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using Serdica.Perf.Cli.Options;

namespace Serdica.Perf.Cli;

/// <summary>The usual help, followed by examples and exit codes of the command that was asked about.</summary>
internal sealed class HelpWithExamples(HelpAction help, TextWriter output) : SynchronousCommandLineAction
{
    private const string Root = """
        Examples:
          serdica-perf doctor
          serdica-perf list
          serdica-perf run --tier smoke --backend postgresql,in-memory
          serdica-perf run --help
        """;

    public override bool Terminating => true;

    public override int Invoke(ParseResult parseResult)
    {
        var exitCode = help.Invoke(parseResult);
        output.WriteLine((parseResult.CommandResult.Command as DocumentedCommand)?.Examples ?? Root);
        output.WriteLine();
        return exitCode;
    }
}

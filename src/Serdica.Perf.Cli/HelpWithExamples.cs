using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace Serdica.Perf.Cli;

/// <summary>
/// The usual help of a command, with a heading over each group of its options, followed by its examples and exit codes.
/// </summary>
internal sealed class HelpWithExamples(HelpAction help) : SynchronousCommandLineAction
{
    private const string Root = """
        Examples:
          serdica-perf doctor
          serdica-perf quick
          serdica-perf run --tier smoke --backend postgresql,in-memory
          serdica-perf run --help
        """;

    public override bool Terminating => true;

    public override int Invoke(ParseResult parseResult)
    {
        var output = parseResult.InvocationConfiguration.Output;
        using var usual = new StringWriter();
        parseResult.InvocationConfiguration.Output = usual;
        var exitCode = help.Invoke(parseResult);
        parseResult.InvocationConfiguration.Output = output;

        var command = parseResult.CommandResult.Command as DocumentedCommand;
        output.Write(command is { Headings.Count: > 0 } ? WithHeadings(usual.ToString(), command.Headings) : usual.ToString());
        output.WriteLine(command?.Examples ?? Root);
        output.WriteLine();
        return exitCode;
    }

    /// <summary>The library lists options in the order in which they were declared, and knows no groups.</summary>
    private static string WithHeadings(string help, IReadOnlyDictionary<string, string> headings)
    {
        const string NoGroups = "Options:";
        var lines = new List<string>();
        foreach (var line in help.Split(Environment.NewLine))
        {
            if (OptionNames(line).FirstOrDefault(headings.ContainsKey) is { } first)
            {
                if (lines[^1] == NoGroups)
                    lines.RemoveAt(lines.Count - 1);
                else
                    lines.Add("");
                lines.Add($"{headings[first]}:");
            }

            lines.Add(line);
        }

        return string.Join(Environment.NewLine, lines);
    }

    /// <summary>The names in the first column; none when the line goes on with the option above.</summary>
    private static string[] OptionNames(string line) =>
        line.StartsWith("  -", Ordinal)
            ? line.TrimStart().Split("  ")[0].Split([' ', ','], RemoveEmptyEntries)
            : [];
}

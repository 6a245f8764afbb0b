using System.CommandLine;

namespace Serdica.Perf.Cli.Tests;

public sealed class HelpTests
{
    private const int Columns = 80;

    /// <summary>The commands from the root on, groups such as "dead-letters" included.</summary>
    public static TheoryData<string> Paths => [.. Commands().Select(command => command.Path)];

    [Theory]
    [MemberData(nameof(Paths))]
    public async Task Examples_are_those_of_the_command_itself(string path)
    {
        var calls = (await ExamplesAsync(path)).Where(line => line.StartsWith("  serdica-perf", StringComparison.Ordinal)).ToArray();

        Assert.NotEmpty(calls);
        EachItem.Holds(calls, line => Assert.StartsWith($"  serdica-perf {path} ", line + " ", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Paths))]
    public async Task Examples_and_exit_codes_fit_a_terminal_of_80_columns(string path) =>
        EachItem.Holds(await ExamplesAsync(path), line => Assert.InRange(line.Length, 0, Columns));

    /// <summary>"Of each step." under the name of an option says nothing to anybody.</summary>
    [Theory]
    [MemberData(nameof(Paths))]
    public void Descriptions_are_sentences(string path)
    {
        var command = Commands().Single(command => command.Path == path).Command;

        EachItem.Holds(
            command.Options.Where(option => !option.Hidden && option.Name != "--help").Cast<Symbol>().Concat(command.Arguments).Append(command),
            symbol => Assert.Matches(@"^(?!Of )(\P{Ll}|[a-z]+: ).* .*\.$", symbol.Description ?? ""));
    }

    private static async Task<string[]> ExamplesAsync(string path)
    {
        using var cli = new Cli();
        await cli.RunAsync([.. path.Split(' '), "--help"]);
        return cli.Output[cli.Output.IndexOf("Examples:", StringComparison.Ordinal)..].TrimEnd().Split('\n');
    }

    private static IEnumerable<(string Path, Command Command)> Commands() =>
        Below(new CommandLineApplication(TextWriter.Null, TextWriter.Null).Root(), "");

    private static IEnumerable<(string Path, Command Command)> Below(Command command, string path) =>
        command.Subcommands.SelectMany(sub => Below(sub, $"{path} {sub.Name}".TrimStart()).Prepend(($"{path} {sub.Name}".TrimStart(), sub)));
}

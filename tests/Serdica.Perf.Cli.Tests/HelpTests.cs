using System.CommandLine.Help;

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
        var calls = (await ExamplesAsync(path)).Where(line => line.StartsWith("  serdica-perf")).ToArray();

        Assert.NotEmpty(calls);
        EachItem.Holds(calls, line => Assert.StartsWith($"  serdica-perf {path} ", line + " "));
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
            command
                .Options.Where(option => !option.Hidden && option.Name != "--help")
                .Cast<Symbol>()
                .Concat(command.Arguments)
                .Append(command),
            symbol => Assert.Matches(@"^(?!Of )(\P{Ll}|[a-z]+: ).* .*\.$", symbol.Description ?? "")
        );
    }

    [Theory]
    [InlineData("load", "Rate", "--rate", "--find-max")]
    [InlineData("load", "Steps", "--duration", "--fresh-steps")]
    [InlineData("load", "Work", "--workflow", "--mix", "--failure-rate")]
    [InlineData("load", "Objectives", "--p99", "--lateness", "--threshold", "--abort-on-threshold")]
    [InlineData("load", "Engine", "--workers", "--engine")]
    [InlineData("queue", "Writers", "--writers", "--warmup")]
    [InlineData("queue", "Engine", "--engine")]
    [InlineData("run", "Scenarios", "--backend", "--ladder")]
    [InlineData("run", "Load", "--operations", "--step-delay")]
    [InlineData("run", "Engine", "--workers", "--engine", "--hosts")]
    [InlineData("run", "Objectives", "--gate", "--rerun-to-confirm")]
    [InlineData("ab", "Sides", "--base", "--backend")]
    [InlineData("ab", "Work", "--scenario", "--load")]
    [InlineData("ab", "Engine", "--workers")]
    public void Options_stand_under_the_heading_of_their_group(string command, string heading, params string[] options)
    {
        foreach (var columns in new[] { Columns, int.MaxValue })
            EachItem.Holds(options, option => Assert.Equal(heading, HeadingAbove(option, Help(command, columns))));
    }

    [Theory]
    [InlineData("load")]
    [InlineData("queue")]
    [InlineData("run")]
    [InlineData("ab")]
    public void Each_heading_stands_once_and_no_option_is_lost(string path)
    {
        var help = Help(path, Columns);
        var options = Commands().Single(command => command.Path == path).Command.Options.Where(option => !option.Hidden);

        var headings = Headings(help).ToArray();

        Assert.Equal(headings.Distinct(), headings);
        Assert.DoesNotContain("Options", headings);
        EachItem.Holds(options, option => Assert.NotNull(HeadingAbove(option.Name, help)));
    }

    /// <summary>The help as lines, wrapped for a terminal of this width.</summary>
    private static string[] Help(string command, int columns)
    {
        using var output = new StringWriter();
        var root = new CommandLineApplication(TextWriter.Null, TextWriter.Null).Root();
        Assert.Single(root.Options.OfType<HelpOption>()).Action = new HelpWithExamples(new HelpAction { MaxWidth = columns });
        root.Parse([command, "--help"]).Invoke(new() { Output = output });
        return output.ToString().Split('\n');
    }

    private static string? HeadingAbove(string option, string[] help)
    {
        var row = Array.FindIndex(help, line => line.StartsWith("  -") && Label(line).Contains(option));
        return row < 0 ? null : Headings(help[..row]).Last();
    }

    /// <summary>The names in the first column.</summary>
    private static string[] Label(string line) => line[2..].Split("  ")[0].Split(' ', ',');

    private static IEnumerable<string> Headings(IEnumerable<string> help) =>
        help.TakeWhile(line => line != "Examples:")
            .Where(line => line.Length > 0 && line[0] != ' ' && line[^1] == ':')
            .Select(line => line[..^1]);

    private static async Task<string[]> ExamplesAsync(string path)
    {
        using var cli = new Cli();
        await cli.RunAsync([.. path.Split(' '), "--help"]);
        return cli.Output[cli.Output.IndexOf("Examples:")..].TrimEnd().Split('\n');
    }

    internal static IEnumerable<(string Path, Command Command)> Commands() =>
        Below(new CommandLineApplication(TextWriter.Null, TextWriter.Null).Root(), "");

    private static IEnumerable<(string Path, Command Command)> Below(Command command, string path) =>
        command.Subcommands.SelectMany(sub =>
            Below(sub, $"{path} {sub.Name}".TrimStart()).Prepend(($"{path} {sub.Name}".TrimStart(), sub))
        );
}

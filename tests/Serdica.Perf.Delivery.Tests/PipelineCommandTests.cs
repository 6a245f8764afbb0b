using Serdica.Perf.Cli.Options;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>Every command of the pipelines exists and is understood; nothing is measured.</summary>
public sealed partial class PipelineCommandTests
{
    private const string Script = "dotnet run eng/";
    private const string Test = "dotnet test ";
    private const string CommandLine = "dotnet run -c Release --project src/Serdica.Perf.Cli -- ";

    private static readonly string[] TestOptions = ["-c", "--filter", "--logger", "--results-directory"];

    public static TheoryData<string, string> Scripts => Commands(Script);

    public static TheoryData<string, string> Tests => Commands(Test);

    public static TheoryData<string, string> CommandLines => Commands(CommandLine);

    [Theory]
    [InlineData(PipelineFile.Azure)]
    [InlineData(PipelineFile.GitHub)]
    public void Steps_call_only_scripts_of_eng_tests_and_the_command_line(string file)
    {
        var commands = PipelineFile.Read(file).Jobs.SelectMany(job => job.Commands).ToList();

        Assert.NotEmpty(commands);
        EachItem.Holds(commands, command =>
            Assert.Matches($"^({Regex.Escape(Script)}|{Regex.Escape(Test)}|{Regex.Escape(CommandLine)})", command)
        );
    }

    [Theory]
    [MemberData(nameof(Scripts))]
    public void A_script_that_is_called_exists_and_knows_its_options(string file, string command)
    {
        var words = Words(command);
        var script = Repository.PathOf(words[2]);
        Assert.True(File.Exists(script), $"{file} calls {words[2]}, which does not exist.");

        var text = File.ReadAllText(script);
        Assert.All(words.Skip(3).Where(word => word.StartsWith("--") && word != "--"), option => Assert.Contains($"\"{option}\"", text));
    }

    [Theory]
    [MemberData(nameof(Tests))]
    public void A_filter_selects_tests_of_a_project_that_exists(string file, string command)
    {
        var words = Words(command);
        var project = Path.GetFileName(words[2]);
        Assert.True(File.Exists(Repository.PathOf($"{words[2]}/{project}.csproj")), $"{file} tests {words[2]}, which does not exist.");
        EachItem.Holds(words.Where(word => word.StartsWith('-')), option => Assert.Contains(option, TestOptions));

        var filter = words[Array.IndexOf(words, "--filter") + 1];
        Assert.True(
            PerfTest.Of(project).Any(test => test.Matches(filter)),
            $"The filter '{filter}' of {file} selects no test of {project}."
        );
    }

    [Theory]
    [InlineData("Serdica.Perf.Compliance.Tests", "FullyQualifiedName~MongoDbComplaince")]
    [InlineData("Serdica.Perf.Compliance.Tests", "FullyQualifiedName~MongoDbPerformance")]
    [InlineData("Serdica.Perf.Suite", "FullyQualifiedName~MongoDbCompliance")]
    [InlineData("Serdica.Perf.Suite", "Category=WorkflowPerfSmok")]
    public void A_wrong_filter_selects_nothing(string project, string filter) =>
        Assert.DoesNotContain(PerfTest.Of(project), test => test.Matches(filter));

    /// <summary>The tests of an abstract class are run in the classes that inherit them, under their names.</summary>
    [Fact]
    public void Inherited_tests_have_the_name_of_the_class_that_runs_them()
    {
        var tests = PerfTest.Of("Serdica.Perf.Compliance.Tests").Select(test => test.FullyQualifiedName).ToList();

        Assert.Contains(tests, name => name.StartsWith("Serdica.Perf.Compliance.MongoDbCompliance+Claiming."));
        Assert.DoesNotContain(tests, name => name.StartsWith("Serdica.Perf.Compliance.ClaimingCompliance."));
    }

    [Theory]
    [MemberData(nameof(CommandLines))]
    public async Task A_command_line_is_understood(string file, string command)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var application = new CommandLineApplication(output, error, new DatabaseEnvironment(_ => null));
        var words = Words(command[CommandLine.Length..]);
        if (words[0] == "doctor")
        {
            // It measures nothing, and has no dry run.
            Assert.Empty(application.Root().Parse(words).Errors);
            return;
        }

        var exitCode = await application.RunAsync([.. words, "--dry-run"], Token);

        Assert.True(exitCode == ExitCodes.Success, $"{file}: {command}: {error}");
        Assert.Contains("nothing was run", output.ToString());
    }

    private static TheoryData<string, string> Commands(string kind)
    {
        var commands = new TheoryData<string, string>();
        foreach (var file in (string[])[PipelineFile.Azure, PipelineFile.GitHub])
        {
            foreach (
                var command in PipelineFile
                    .Read(file)
                    .Jobs.SelectMany(job => job.Commands)
                    .Distinct()
                    .Where(command => command.StartsWith(kind))
            )
                commands.Add(file, command);
        }

        return commands;
    }

    private static string[] Words(string command) => [.. Word().Matches(command).Select(word => word.Value.Trim('"'))];

    [GeneratedRegex("\"[^\"]*\"|\\S+")]
    private static partial Regex Word();
}

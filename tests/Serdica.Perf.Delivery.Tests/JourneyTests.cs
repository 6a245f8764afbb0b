using Microsoft.Extensions.Logging.Abstractions;
using Serdica.Perf.Databases.Sources;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>Every command of docs/journeys is typed in a clean folder, and prints what the page shows of its output.</summary>
public sealed class JourneyTests
{
    [Fact]
    public async Task Choose_a_database() => await WalkAsync("choose-a-database.md", new Dictionary<string, string>());

    [Fact]
    public async Task Compare_two_servers()
    {
        await using var older = await StartServerAsync();
        await using var newer = await StartServerAsync();

        await WalkAsync(
            "compare-two-servers.md",
            new Dictionary<string, string>
            {
                ["SERDICA_PERF_SERVER_OLD"] = older.ConnectionString,
                ["SERDICA_PERF_SERVER_NEW"] = newer.ConnectionString,
            }
        );
    }

    [Fact]
    public void A_line_that_is_not_printed_or_not_in_its_place_is_found()
    {
        var step = new JourneyStep("x", ["passed, 1,204/s", "...", "Report: ..."], 0);

        Assert.Null(step.Missing("passed,   98.5/s\nmore\nReport: a/b\n"));
        Assert.Equal("Report: ...", step.Missing("Report: a/b\npassed, 1/s\n"));
        Assert.Equal("passed, 1,204/s", step.Missing("failed, 1,204/s\nReport: a/b\n"));
    }

    [Fact]
    public void A_figure_of_too_few_operations_is_a_figure()
    {
        var step = new JourneyStep("x", ["|  1 | 2,175 | 1,086 | ...", "| 16 | 9,175 | 4,086 | ..."], 0);

        Assert.Null(step.Missing("|   1 |    73 |       - | 25.82 |\n|  16 |   946 |     465 | 28.18 |\n"));
        Assert.NotNull(step.Missing("|   1 |    73 | nothing | 25.82 |\n|  16 |   946 |     465 | 28.18 |\n"));
    }

    /// <param name="feed">A nuget.config for the folder of the journey; null for that of the machine.</param>
    internal static async Task WalkAsync(string page, Dictionary<string, string> variables, string? feed = null)
    {
        using var clean = new TemporaryFolder();
        var folder = clean.Path;
        if (feed is not null)
            File.Copy(feed, clean.Below("nuget.config"));
        var steps = JourneyText.Read(page);
        Assert.NotEmpty(steps);
        foreach (var step in steps)
        {
            var words = Words(step.Command, variables);
            if (words[0] == "export")
                Assert.Contains(words[1].Split('=')[0], variables.Keys);
            else if (words[0] == "cd")
                folder = Path.GetFullPath(Path.Combine(folder, words[1]));
            else
            {
                var (program, arguments) =
                    words[0] == "serdica-perf"
                        ? ("dotnet", ["exec", typeof(CommandLineApplication).Assembly.Location, .. words[1..]])
                        : (words[0], words[1..]);
                var typed = await DotnetCommand.RunProgramAsync(program, folder, variables, arguments);
                SkipWithoutPostgreSql(typed);
                Assert.True(typed.ExitCode == step.ExitCode, $"{step.Command}\nended with {typed.ExitCode}:\n{typed.Output}");
                if (step.Missing(typed.Output) is { } missing)
                    Assert.Fail($"{step.Command}\ndoes not print, or not in this place:\n{missing}\nIt printed:\n{typed.Output}");
            }
        }
    }

    /// <summary>As a shell splits them: quotation marks keep words together, and $NAME is a variable.</summary>
    private static string[] Words(string command, Dictionary<string, string> variables)
    {
        if (command.StartsWith("export "))
            return command.Split(' ', 2);
        foreach (var (name, value) in variables)
            command = command.Replace($"${name}", value);
        return
        [
            .. command
                .Split('"')
                .SelectMany((part, index) => index % 2 == 1 ? [part] : part.Split(' ', RemoveEmptyEntries)),
        ];
    }

    private static void SkipWithoutPostgreSql(CommandResult typed)
    {
        var isMissing =
            typed.ExitCode == Cli.Options.ExitCodes.BackendUnavailable
            || typed.Output.Contains("PostgreSQL cannot be measured here");
        if (isMissing && !DatabaseEnvironment.Current.IsRequired("postgresql"))
            Assert.Skip($"There is no PostgreSQL on this machine: {typed.Output}");
    }

    private static async Task<DatabaseServer> StartServerAsync()
    {
        var outcome = await DatabaseSources.Of("postgresql").ProvisionAsync(
            new DatabaseRequest { Source = DatabaseSourceKind.Local },
            NullLogger.Instance,
            Token
        );
        if (outcome is ProvisionOutcome.Provisioned { Server: var server })
            return server;
        var reason = $"There is no PostgreSQL on this machine: {((ProvisionOutcome.Unavailable)outcome).Reason}";
        Assert.False(DatabaseEnvironment.Current.IsRequired("postgresql"), reason);
        Assert.Skip(reason);
        throw new InvalidOperationException(reason);
    }
}

using Serdica.Perf.Cli.Options;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>Scenarios of a user's own, and what is refused; docs/journeys/gate-my-repository.md is the way without mistakes.</summary>
public sealed class OwnWorkflowTests : FolderTests
{
    [Fact]
    public async Task A_feed_that_is_neither_a_folder_nor_an_address_is_refused_before_anything_is_written()
    {
        var written = await RunAsync("init", Root.Below("orders"), "--packages", "artefacts/packages");

        Assert.Equal(ExitCodes.Usage, written.ExitCode);
        Assert.Contains("'artefacts/packages', which is neither a folder", written.Output);
        Assert.Empty(Directory.GetFileSystemEntries(Root.Path));
    }

    [Fact]
    public async Task An_instance_that_is_not_as_expected_fails_the_run()
    {
        var run = await RunAsync(
            "run",
            "--assembly",
            typeof(WronglyExpected).Assembly.Location,
            "--backend",
            "in-memory",
            "--output",
            Root.Path
        );

        Assert.Equal(ExitCodes.Failed, run.ExitCode);
        Assert.Contains("every state and version as expected", run.Output);
        Assert.DoesNotContain("every instance completed", run.Output);
    }

    [Fact]
    public async Task A_folder_with_something_in_it_is_refused_and_left_as_it_is()
    {
        Root.Write("mine.txt", "");

        var written = await RunAsync("init", Root.Path);

        Assert.Equal(ExitCodes.Usage, written.ExitCode);
        Assert.Equal(
            $"'{Root.Path}' exists and is not empty; name a folder that does not exist yet. Nothing was "
                + $"overwritten.{Environment.NewLine}",
            written.Output
        );
        Assert.Equal(Root.Below("mine.txt"), Assert.Single(Directory.GetFileSystemEntries(Root.Path)));
    }

    [Fact]
    public async Task An_assembly_without_scenarios_and_one_that_is_not_there_are_refused()
    {
        var without = await RunAsync("run", "--assembly", typeof(DatabaseEnvironment).Assembly.Location);
        var missing = await RunAsync("run", "--assembly", "missing.dll");

        Assert.Equal((ExitCodes.Usage, ExitCodes.Usage), (without.ExitCode, missing.ExitCode));
        Assert.StartsWith("There is no scenario in ", without.Output);
        Assert.StartsWith("There is no assembly 'missing.dll'", missing.Output);
    }

    [Fact]
    public async Task A_load_of_an_assembly_names_the_workflow_that_it_drives()
    {
        var assembly = typeof(WronglyExpected).Assembly.Location;

        var load = await RunAsync("load", "--assembly", assembly, "--rate", "10", "--backend", "in-memory");

        Assert.Equal(ExitCodes.Usage, load.ExitCode);
        Assert.Contains(WronglyExpected.Scenario.Name, load.Output);
        Assert.Contains("name one of them with --workflow.", load.Output);
    }

    private static async Task<CommandResult> RunAsync(params string[] args)
    {
        using var output = new StringWriter();
        var application = new CommandLineApplication(output, output, new DatabaseEnvironment(_ => null));
        var exitCode = await application.RunAsync(args, Token);
        return new(exitCode, output.ToString());
    }
}

using Serdica.Perf.Cli;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>From `init` to a measurement, as a new user goes.</summary>
[Collection(typeof(PackageCollection))]
public sealed class OwnWorkflowTests(PackedSolution packages)
{
    [Fact]
    public async Task A_new_project_builds_against_the_packages_and_its_scenario_passes()
    {
        using var folder = new TemporaryFolder();
        var project = folder.Below("My-Workflows");

        var written = await RunAsync("init", project, "--packages", packages.Folder);
        Assert.True(written.ExitCode == ExitCodes.Success, written.Output);

        // The packages of others are where the build of these tests has put them; nothing is asked for elsewhere.
        var restored = new Dictionary<string, string>
        {
            ["NUGET_PACKAGES"] = folder.Below("packages"),
            ["NUGET_FALLBACK_PACKAGES"] = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
                ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages"),
        };
        var built = await DotnetCommand.RunAsync(project, restored, "build", "-c", "Release", $"-p:RestoreSources={packages.Folder}");
        Assert.True(built.ExitCode == 0, built.Output);

        var run = await RunAsync(
            "run", "--assembly", Path.Combine(project, "bin", "Release", "net10.0", "My_Workflows.dll"), "--backend", "in-memory", "--operations", "50", "--output", folder.Below("runs"));
        Assert.True(run.ExitCode == ExitCodes.Success, run.Output);
        Assert.Contains("in-memory-order-paid: passed", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_instance_that_is_not_as_expected_fails_the_run()
    {
        using var folder = new TemporaryFolder();

        var run = await RunAsync("run", "--assembly", typeof(WronglyExpected).Assembly.Location, "--backend", "in-memory", "--output", folder.Path);

        Assert.Equal(ExitCodes.Failed, run.ExitCode);
        Assert.Contains("every state and version as expected", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("every instance completed", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_with_something_in_it_is_refused_and_left_as_it_is()
    {
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(folder.Below("mine.txt"), "", TestContext.Current.CancellationToken);

        var written = await RunAsync("init", folder.Path);

        Assert.Equal(ExitCodes.Usage, written.ExitCode);
        Assert.Equal($"'{folder.Path}' exists and is not empty; name a folder that does not exist yet. Nothing was overwritten.{Environment.NewLine}", written.Output);
        Assert.Equal(folder.Below("mine.txt"), Assert.Single(Directory.GetFileSystemEntries(folder.Path)));
    }

    [Fact]
    public async Task An_assembly_without_scenarios_and_one_that_is_not_there_are_refused()
    {
        var without = await RunAsync("run", "--assembly", typeof(DatabaseEnvironment).Assembly.Location);
        var missing = await RunAsync("run", "--assembly", "missing.dll");

        Assert.Equal((ExitCodes.Usage, ExitCodes.Usage), (without.ExitCode, missing.ExitCode));
        Assert.StartsWith("There is no scenario in ", without.Output, StringComparison.Ordinal);
        Assert.StartsWith("There is no assembly 'missing.dll'", missing.Output, StringComparison.Ordinal);
    }

    private static async Task<CommandResult> RunAsync(params string[] args)
    {
        using var output = new StringWriter();
        var application = new CommandLineApplication(output, output, new DatabaseEnvironment(_ => null));
        var exitCode = await application.RunAsync(args, TestContext.Current.CancellationToken);
        return new(exitCode, output.ToString());
    }
}

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A clone builds before anything has found out what the feed has: the driver that many feeds lack is off.</summary>
public sealed class FreshCloneTests
{
    private const string Switch = "WithOracleDriver";
    private const string Driver = "Oracle.ManagedDataAccess.Core";
    private const string Backend = "src/Serdica.Perf.Workflows.Oracle/Serdica.Perf.Workflows.Oracle.csproj";

    [Fact]
    public async Task The_Oracle_driver_is_referenced_only_where_the_setup_has_found_it()
    {
        using var untouched = Clone(null);
        using var without = Clone("false");
        using var with = Clone("true");
        TemporaryFolder[] clones = [untouched, without, with];

        var packages = await Evaluation.AskAsync("@(PackageReference)", clones.Select(clone => (clone.Below(Backend), "")));

        Assert.Equal([false, false, true], packages.Select(referenced => referenced.Contains(Driver)));
        Assert.Equal([true, true, false], clones.Select(clone => new TestMachine(clone.Path).LacksPackage(Switch)));
    }

    /// <summary>A project gets the content of those that it refers to, and of two files with one name either may come last.</summary>
    [Fact]
    public void Settings_of_the_runner_are_named_after_their_project()
    {
        var settings = Directory
            .EnumerateFiles(Repository.PathOf("tests"), "*.csproj", SearchOption.AllDirectories)
            .SelectMany(File.ReadLines)
            .Where(line => line.Contains("runner.json"))
            .ToList();

        Assert.NotEmpty(settings);
        EachItem.Holds(settings, line => Assert.Contains(" Link=\"$(MSBuildProjectName).xunit.runner.json\" ", line));
    }

    [Fact]
    public async Task A_build_says_in_one_line_what_is_off()
    {
        var built = await DotnetCommand.RunAsync(
            Repository.Root,
            new Dictionary<string, string>(),
            "msbuild",
            Repository.PathOf("src/Serdica.Perf.Backends/Serdica.Perf.Backends.csproj"),
            "-t:SayWhatIsOff",
            "-nologo",
            $"-p:{Switch}=false"
        );

        var line = Assert.Single(built.Output.Split('\n', RemoveEmptyEntries | TrimEntries));
        Assert.Equal($"Not in this build: Oracle AQ ({Driver}). 'dotnet run eng/setup.cs' turns it on where your feed has it.", line);
    }

    /// <summary>The build's settings and the Oracle backend, with what the setup has found.</summary>
    private static TemporaryFolder Clone(string? found)
    {
        var folder = new TemporaryFolder();
        foreach (var file in (string[])["Directory.Build.props", "Directory.Packages.props", Backend])
        {
            Directory.CreateDirectory(Path.GetDirectoryName(folder.Below(file))!);
            File.Copy(Repository.PathOf(file), folder.Below(file));
        }

        if (found is not null)
        {
            File.WriteAllText(
                folder.Below("drivers.props"),
                $"<Project><PropertyGroup><{Switch}>{found}</{Switch}></PropertyGroup></Project>"
            );
        }

        return folder;
    }
}

namespace Serdica.Perf.Cli.Tests;

/// <summary>Apart from the other tests of the command, because it starts two servers and measures sixteen times.</summary>
public sealed class AbSettingsTests : CliTests
{
    [Fact]
    public async Task Two_files_of_settings_are_two_servers_and_the_comparison_and_the_manifest_name_them()
    {
        using var files = new Cli();
        var file = Path.Combine(files.Folder, "compressed.conf");
        await File.WriteAllTextAsync(file, "wal_compression = on # for a slow disk\n", Token);

        var exitCode = await Cli.MeasureInThisProcessAsync(
            $"ab --base here --candidate settings:{file} --source local --operations 100 --warmup 10 --blocks 4"
        );

        Cli.SkipWithoutPostgreSql(exitCode);
        Assert.True(exitCode == ExitCodes.Success, $"Exit code {exitCode}: {Cli.Error}{Cli.Output}");
        Assert.StartsWith("Starting PostgreSQL ", Cli.Output);
        var result = Cli.Read<AbResult>(AbFolder.ResultFile);
        EachItem.Holds(result.Blocks.SelectMany(block => block.Runs), run =>
            Assert.Equal(
                run.Side == AbSide.Candidate,
                BaselineReader.Read(Cli.PathOf(run.Folder)).Databases[0].Settings.ContainsKey("wal_compression")
            )
        );
        var scenario = Assert.Single(result.Comparison.Scenarios);
        Assert.Contains($"settings: none against {file}", scenario.Varied);
        Assert.Contains(scenario.Varied, phrase => phrase.StartsWith("database settings.wal_compression: none against "));
        Assert.Empty(scenario.Unlike);
        Assert.Contains($"The sides differ on purpose: settings: none against {file}; ", Cli.Output);
        Assert.DoesNotContain(ComparisonText.Banner, Cli.Output);
        Assert.Contains("throughput by block: ", Cli.Output);
        Assert.Contains("## Throughput by block", Cli.Written(AbFolder.ReportFile));
        using var manifest = Cli.Parsed(AbFolder.ManifestFile);
        var (of, candidate) = (manifest.RootElement.GetProperty("base"), manifest.RootElement.GetProperty("candidate"));
        Assert.Equal(JsonValueKind.Null, of.GetProperty("settings").ValueKind);
        Assert.Equal("on", candidate.GetProperty("settings").Text("wal_compression"));
        Assert.Equal($"settings:{file}", candidate.Text("text"));
    }
}

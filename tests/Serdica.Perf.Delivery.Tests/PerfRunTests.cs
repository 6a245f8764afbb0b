using System.Reflection;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A test run that measures leads to its report: who has only its result file finds the figures too.</summary>
public sealed partial class PerfRunTests
{
    [Fact]
    public async Task The_result_file_names_the_run_folder_and_has_the_report()
    {
        using var results = new TemporaryFolder();
        var run = await DotnetCommand.RunAsync(
            Repository.Root,
            new Dictionary<string, string>(),
            "test",
            "tests/Serdica.Perf.Suite",
            "-c",
            typeof(PerfRunTests).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration,
            "--no-build",
            "--filter",
            "FullyQualifiedName~InMemoryPerformance.Immediate_burst_smoke",
            "--logger",
            "trx;LogFileName=suite.trx",
            "--results-directory",
            results.Path
        );
        Assert.True(run.ExitCode == 0, run.Output);

        var test = Assert.Single(XDocument.Load(results.Below("suite.trx")).Descendants(), element =>
            element.Name.LocalName == "UnitTestResult"
        );
        var printed = RunFolderLine().Match(test.Value).Groups["folder"].Value;
        Assert.True(Directory.Exists(printed), test.Value);
        try
        {
            Assert.Contains("Report: " + Path.Combine(printed, "report.html"), run.Output);
            Assert.True(File.Exists(Path.Combine(printed, "report.html")));
            Assert.Single(test.Descendants().Where(element => element.Name.LocalName == "ResultFile"), file =>
                ((string)file.Attribute("path")!).EndsWith("report.html")
            );
            var attached = Assert.Single(Directory.GetFiles(results.Path, "*report.html", SearchOption.AllDirectories));
            Assert.Contains("in-memory-immediate-burst-smoke", await File.ReadAllTextAsync(attached, Token));
        }
        finally
        {
            Directory.Delete(printed, recursive: true);
        }
    }

    [GeneratedRegex(@"^Run folder: (?<folder>.+?)\r?$", RegexOptions.Multiline)]
    private static partial Regex RunFolderLine();
}

using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Cli.Tests;

/// <summary>What the command line says of Oracle where there is none.</summary>
public sealed class OracleTests : CliTests
{
    private static string Reason => OracleDriver.TryFind(out _) ? OracleDriver.NoServer : OracleDriver.Missing;

    [Theory]
    [InlineData("oracle-aq")]
    [InlineData("oracle-aq-reference")]
    public async Task Doctor_says_in_one_sentence_what_is_missing(string backend)
    {
        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("doctor", "--backend", backend));

        Assert.Contains(Flat(Reason), Flat(Cli.Output));
        Assert.Equal(backend, Cli.Output.Split((char[]?)null, RemoveEmptyEntries)[0]);
        Assert.Contains("Oracle AQ cannot be measured here", Cli.Output);
        Assert.DoesNotContain("postgresql", Cli.Output);
    }

    [Theory]
    [InlineData("oracle-aq", "--backend oracle-aq --scenario immediate-burst-smoke")]
    [InlineData("oracle-aq", "--scenario oracle-aq-immediate-burst-smoke")]
    [InlineData("oracle-aq-reference", "--backend oracle-aq-reference --scenario immediate-burst-smoke")]
    [InlineData("oracle-aq-reference", "--scenario oracle-aq-reference-immediate-burst-smoke")]
    public async Task Run_says_in_one_sentence_why_it_is_not_measured(string backend, string options)
    {
        Assert.Equal(4, await Cli.RunAsync(["run", .. options.Split(' '), "--output", Cli.Folder]));

        Assert.Contains(Flat(Reason), Flat(Cli.Output + Cli.Error));
        Assert.Matches(
            $@"## Not measured\s+- \*\*{backend}[a-z-]*\*\*: {System.Text.RegularExpressions.Regex.Escape(Reason)}",
            Cli.Written("summary.md")
        );
    }

    [Fact]
    public async Task Source_that_does_not_exist_is_named()
    {
        Cli.Variables["SERDICA_PERF_ORACLE_SOURCE"] = "cloud";

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("doctor", "--backend", "oracle-aq"));

        Assert.Contains("external, containers, local", Flat(Cli.Output));
    }

    /// <summary>Tables break lines where the console ends.</summary>
    private static string Flat(string text) => string.Join(' ', text.Split((char[]?)null, RemoveEmptyEntries));
}

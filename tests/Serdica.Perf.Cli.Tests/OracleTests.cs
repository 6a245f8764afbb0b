using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Cli.Tests;

/// <summary>What the command line says of Oracle where there is none.</summary>
public sealed class OracleTests
{
    private static string Reason => OracleDriver.TryFind(out _) ? OracleDriver.NoServer : OracleDriver.Missing;

    [Theory]
    [InlineData("oracle-aq")]
    [InlineData("oracle-aq-reference")]
    public async Task Doctor_says_in_one_sentence_what_is_missing(string backend)
    {
        using var cli = new Cli();

        Assert.Equal(ExitCodes.Failed, await cli.RunAsync("doctor", "--backend", backend));

        Assert.Contains(Flat(Reason), Flat(cli.Output));
        Assert.Equal(backend, cli.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)[0]);
        Assert.Contains("Oracle AQ cannot be measured here", cli.Output);
        Assert.DoesNotContain("postgresql", cli.Output);
    }

    [Theory]
    [InlineData("oracle-aq", "--backend oracle-aq --scenario immediate-burst-smoke")]
    [InlineData("oracle-aq", "--scenario oracle-aq-immediate-burst-smoke")]
    [InlineData("oracle-aq-reference", "--backend oracle-aq-reference --scenario immediate-burst-smoke")]
    [InlineData("oracle-aq-reference", "--scenario oracle-aq-reference-immediate-burst-smoke")]
    public async Task Run_says_in_one_sentence_why_it_is_not_measured(string backend, string options)
    {
        using var cli = new Cli();

        Assert.Equal(4, await cli.RunAsync(["run", .. options.Split(' '), "--output", cli.Folder]));

        Assert.Contains(Flat(Reason), Flat(cli.Output + cli.Error));
        Assert.Matches(
            $@"## Not measured\s+- \*\*{backend}[a-z-]*\*\*: {System.Text.RegularExpressions.Regex.Escape(Reason)}",
            await File.ReadAllTextAsync(Path.Combine(cli.RunFolder, "summary.md"), Token)
        );
    }

    [Fact]
    public async Task Source_that_does_not_exist_is_named()
    {
        using var cli = new Cli();
        cli.Variables["SERDICA_PERF_ORACLE_SOURCE"] = "cloud";

        Assert.Equal(ExitCodes.Failed, await cli.RunAsync("doctor", "--backend", "oracle-aq"));

        Assert.Contains("external, containers, local", Flat(cli.Output));
    }

    /// <summary>Tables break lines where the console ends.</summary>
    private static string Flat(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}

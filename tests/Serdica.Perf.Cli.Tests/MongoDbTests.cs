using Serdica.Perf.Cli.Options;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Cli.Tests;

/// <summary>What the command line says of MongoDB where there is none.</summary>
public sealed class MongoDbTests
{
    [Fact]
    public async Task Run_says_in_one_sentence_why_it_is_not_measured()
    {
        using var cli = new Cli();

        Assert.Equal(
            ExitCodes.BackendUnavailable,
            await cli.RunAsync("run", "--backend", "mongodb", "--scenario", "immediate-burst-smoke", "--output", cli.Folder)
        );

        Assert.Contains(
            MongoDriver.NoServer,
            await File.ReadAllTextAsync(Path.Combine(cli.RunFolder, "summary.md"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
    }
}

using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Cli.Tests;

public sealed class ReadyServersTests
{
    [Fact]
    public async Task A_server_that_cannot_be_made_ready_is_stopped_and_removed()
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var log = new StopAtLogFiles(stop);
        var servers = new ReadyServers(new(_ => null), request => request with { Source = DatabaseSourceKind.Local }, log);

        try
        {
            var outcome = await servers.ProvideAsync(BackendNames.PostgreSql, stop.Token);
            Cli.SkipWithoutPostgreSql(Assert.IsType<ProvisionOutcome.Unavailable>(outcome).Reason);
        }
        catch (OperationCanceledException)
        {
            // It was up, and its files were about to be created.
        }

        Assert.True(stop.IsCancellationRequested);
        Assert.NotNull(log.Folder);
        Assert.False(Directory.Exists(log.Folder), $"{log.Folder} is still there");
    }

    private sealed class StopAtLogFiles(CancellationTokenSource stop) : LogList<ReadyServersTests>
    {
        /// <summary>The folder of the server that was started.</summary>
        public string? Folder { get; private set; }

        protected override void Logged(EventId id, Func<string, object> valueOf)
        {
            if (id.Name == "StartedLocal")
                Assert.True(Directory.Exists(Folder = (string)valueOf("Folder")));
            if (id.Name == "MakingLogFiles")
                stop.Cancel();
        }
    }
}

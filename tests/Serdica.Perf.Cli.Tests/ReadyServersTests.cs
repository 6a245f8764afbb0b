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

    private sealed class StopAtLogFiles(CancellationTokenSource stop) : ILogger
    {
        /// <summary>The folder of the server that was started.</summary>
        public string? Folder { get; private set; }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter
        )
        {
            if (eventId.Name == "StartedLocal" && state is IEnumerable<KeyValuePair<string, object?>> fields)
            {
                Folder = (string)fields.Single(field => field.Key == "Folder").Value!;
                Assert.True(Directory.Exists(Folder));
            }

            if (eventId.Name == "MakingLogFiles")
                stop.Cancel();
        }
    }
}

namespace Serdica.Perf.Compliance;

/// <summary>One server with DocumentDB for all fixtures.</summary>
public abstract class SharedDocumentDb() : ServerFixture(DatabaseEnvironment.DocumentDb)
{
    private static readonly Lock Gate = new();
    private static Task<ProvisionOutcome>? _server;
    private static int _users;

    private protected override Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        lock (Gate)
        {
            _users++;
            return _server ??= StartAsync(base.ProvisionAsync(request, CancellationToken.None));
        }
    }

    private protected override ValueTask ReleaseAsync(DatabaseServer server) =>
        Interlocked.Decrement(ref _users) == 0 ? server.DisposeAsync() : default;

    /// <summary>Two jobs of the extension open a session every 2 s each; no test leaves anything to them.</summary>
    private static async Task<ProvisionOutcome> StartAsync(Task<ProvisionOutcome> start)
    {
        var outcome = await start;
        if (outcome is ProvisionOutcome.Provisioned { Server: { Description.Source: DatabaseSourceKind.Local } server })
        {
            await using var source = NpgsqlDataSource.Create(server.ConnectionString);
            await using var stop = source.CreateCommand("update cron.job set active = false");
            Assert.NotEqual(0, await stop.ExecuteNonQueryAsync(CancellationToken.None));
        }

        return outcome;
    }
}

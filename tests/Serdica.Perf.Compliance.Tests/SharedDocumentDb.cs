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
            return _server ??= base.ProvisionAsync(request, CancellationToken.None);
        }
    }

    private protected override ValueTask ReleaseAsync(DatabaseServer server)
    {
        lock (Gate)
        {
            if (--_users > 0)
                return default;
            _server = null;
        }

        return server.DisposeAsync();
    }
}

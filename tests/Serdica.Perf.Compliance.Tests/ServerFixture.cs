using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Results;

namespace Serdica.Perf.Compliance;

/// <summary>One server for the assembly, begun when the first test asks for it.</summary>
public abstract class ServerFixture : IAsyncDisposable
{
    private readonly string _backend;
    private readonly string _required;
    private readonly SemaphoreSlim _gate = new(1);
    private ProvisionOutcome? _outcome;

    /// <param name="backend">What its variables are called after.</param>
    /// <param name="required">What SERDICA_PERF_REQUIRE calls it, where that is another name.</param>
    private protected ServerFixture(string backend, string? required = null) => (_backend, _required) = (backend, required ?? backend);

    public virtual async ValueTask DisposeAsync()
    {
        if (_outcome is ProvisionOutcome.Provisioned { Server: var server })
            await ReleaseAsync(server);
        _gate.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>The server; skips the test when this machine has none.</summary>
    private protected async Task<DatabaseServer> ServerAsync(CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken);
        try
        {
            _outcome ??= await ProvisionAsync(cancellationToken);
        }
        finally
        {
            _gate.Release();
        }

        if (_outcome is ProvisionOutcome.Provisioned { Server: var server })
            return server;
        var reason = ((ProvisionOutcome.Unavailable)_outcome).Reason;
        SkipOrFail(reason);
        throw new InvalidOperationException("A skipped test does not go on.");
    }

    private protected virtual Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        DatabaseSources.Of(_backend).ProvisionAsync(request, NullLogger.Instance, cancellationToken);

    private protected virtual ValueTask ReleaseAsync(DatabaseServer server) => server.DisposeAsync();

    /// <summary>Fails where the backend is required, and skips the test elsewhere.</summary>
    protected void SkipOrFail(string reason)
    {
        if (DatabaseEnvironment.Current.IsRequired(_required, ClosestName.Question))
            Assert.Fail(reason);
        Assert.Skip(reason);
    }

    private async Task<ProvisionOutcome> ProvisionAsync(CancellationToken cancellationToken) =>
        DatabaseEnvironment.Current.TryReadRequest(_backend, out var request, out var problem)
            ? await ProvisionAsync(request, cancellationToken)
            : new ProvisionOutcome.Unavailable(problem);
}

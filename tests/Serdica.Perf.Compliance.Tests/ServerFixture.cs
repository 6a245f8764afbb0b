using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Serdica.Perf.Results;

namespace Serdica.Perf.Compliance;

/// <summary>One server for the assembly, begun when the first test asks for it.</summary>
public abstract class ServerFixture : IAsyncDisposable
{
    private readonly string _backend;
    private readonly Func<DatabaseRequest, ILogger, CancellationToken, Task<ProvisionOutcome>> _provisionAsync;
    private readonly string _required;
    private readonly SemaphoreSlim _gate = new(1);
    private ProvisionOutcome? _outcome;

    /// <param name="backend">What its variables are called after.</param>
    /// <param name="provisionAsync">Begins it.</param>
    /// <param name="required">What SERDICA_PERF_REQUIRE calls it, where that is another name.</param>
    private protected ServerFixture(
        string backend,
        Func<DatabaseRequest, ILogger, CancellationToken, Task<ProvisionOutcome>> provisionAsync,
        string? required = null
    )
    {
        _backend = backend;
        _provisionAsync = provisionAsync;
        _required = required ?? backend;
    }

    public virtual async ValueTask DisposeAsync()
    {
        if (_outcome is ProvisionOutcome.Provisioned { Server: var server })
            await server.DisposeAsync();
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

    /// <summary>Fails where the backend is required, and skips the test elsewhere.</summary>
    protected void SkipOrFail(string reason)
    {
        if (DatabaseEnvironment.Current.IsRequired(_required, ClosestName.Question))
            Assert.Fail(reason);
        Assert.Skip(reason);
    }

    private async Task<ProvisionOutcome> ProvisionAsync(CancellationToken cancellationToken) =>
        DatabaseEnvironment.Current.TryReadRequest(_backend, out var request, out var problem)
            ? await _provisionAsync(request, NullLogger.Instance, cancellationToken)
            : new ProvisionOutcome.Unavailable(problem);
}

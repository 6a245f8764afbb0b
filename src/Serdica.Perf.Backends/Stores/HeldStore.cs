namespace Serdica.Perf.Backends.Stores;

/// <summary>A store while a run uses it: its marker is renewed, and the store is dropped with this object.</summary>
internal sealed class HeldStore : IAsyncDisposable
{
    /// <summary>Far shorter than <see cref="FoundStore.LeftAfter"/>, and too rare to be seen in a measurement.</summary>
    public static readonly TimeSpan Renewal = FromHours(1);

    private readonly IStoreServer _server;
    private readonly StoreMarker _marker;
    private readonly PeriodicTimer _timer;
    private readonly Task _renewing;

    private HeldStore(IStoreServer server, string name, StoreMarker marker, TimeSpan renewal)
    {
        (_server, Name, _marker) = (server, name, marker);
        _timer = new PeriodicTimer(renewal);
        _renewing = RenewAsync();
    }

    /// <summary>Schema, database or prefix.</summary>
    public string Name { get; }

    /// <summary>A name that no other store has.</summary>
    public static string NewName(string prefix) => Invariant($"{prefix}{Guid.NewGuid():N}");

    /// <summary>Makes a store for a run.</summary>
    /// <param name="renewal">The time between two renewals; <see cref="Renewal"/> when it is <see langword="null"/>.</param>
    /// <exception cref="WorkflowBackendException">The server could not make it.</exception>
    public static async Task<HeldStore> MakeAsync(IStoreServer server, string name, string run, TimeSpan? renewal = null)
    {
        var marker = StoreMarker.Of(run, TimeProvider.System.GetUtcNow());
        await server.MakeAsync(name, marker);
        return new(server, name, marker, renewal ?? Renewal);
    }

    public async ValueTask DisposeAsync()
    {
        _timer.Dispose();
        await _renewing;
        await _server.DropAsync(Name, CancellationToken.None);
    }

    private async Task RenewAsync()
    {
        while (await _timer.WaitForNextTickAsync())
        {
            try
            {
                await _server.RenewAsync(Name, _marker with { SeenAt = TimeProvider.System.GetUtcNow() });
            }
            catch (WorkflowBackendException)
            {
                // The measurement on the same server reports its failures, and the next renewal comes long before a day is over.
            }
        }
    }
}

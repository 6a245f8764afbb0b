namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// The services that business flows call, in this process: answers at once, records the order of calls for each operation,
/// and fails those calls that it is told to fail. An idempotency key takes effect once.
/// </summary>
internal sealed class RecordingTransport(Func<ServiceCall, bool> fails)
{
    private readonly HashSet<Guid> _effective = [];
    private List<ServiceCall>?[] _calls = [];

    /// <summary>Calls that had an effect: those that succeeded, each idempotency key once.</summary>
    public int Effects
    {
        get
        {
            lock (_effective)
                return _effective.Count;
        }
    }

    /// <summary>Forgets what was recorded and makes room for so many operations. Not while calls are made.</summary>
    public void Clear(int operations)
    {
        _calls = new List<ServiceCall>?[operations];
        _effective.Clear();
    }

    /// <summary>All calls of one operation in their order, failed ones included.</summary>
    public IReadOnlyList<ServiceCall> CallsOf(int operation) => _calls[operation] ?? [];

    /// <exception cref="ServiceUnavailableException">The call was told to fail.</exception>
    public void Call(int operation, string service, Guid idempotencyKey)
    {
        var calls = Volatile.Read(ref _calls[operation])
            ?? Interlocked.CompareExchange(ref _calls[operation], new(4), null)
            ?? _calls[operation]!;
        ServiceCall call;
        lock (calls)
        {
            call = new(operation, service, 1 + calls.Count(earlier => earlier.Service == service), true);
            if (fails(call))
                call = call with { Succeeded = false };
            calls.Add(call);
        }

        if (!call.Succeeded)
            throw new ServiceUnavailableException(service);
        lock (_effective)
            _effective.Add(idempotencyKey);
    }
}

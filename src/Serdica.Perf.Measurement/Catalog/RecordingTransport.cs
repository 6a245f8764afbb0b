namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// The services that business flows call, in this process: it responds immediately, records the order of calls for each
/// operation, and fails the selected calls. An idempotency key takes effect once.
/// </summary>
internal sealed class RecordingTransport(Func<ServiceCall, bool> fails)
{
    private readonly HashSet<Guid> _effective = [];
    private List<ServiceCall>?[] _calls = [];

    /// <summary>Calls that had an effect: successful ones, each idempotency key once.</summary>
    public int Effects
    {
        get
        {
            lock (_effective)
                return _effective.Count;
        }
    }

    /// <summary>Clears the record and allocates room for this many operations. Not to be called while calls are made.</summary>
    public void Clear(int operations)
    {
        _calls = new List<ServiceCall>?[operations];
        _effective.Clear();
    }

    /// <summary>All calls of one operation in order, including failed ones.</summary>
    public IReadOnlyList<ServiceCall> CallsOf(int operation) => _calls[operation] ?? [];

    /// <summary>Compares the calls of the first operations with those that they should have made.</summary>
    public IEnumerable<VerificationCheck> Checks(int launched, Func<int, IReadOnlyCollection<ServiceCall>> expectedOf)
    {
        var order = new Findings();
        var effects = 0;
        for (var operation = 0; operation < launched; operation++)
        {
            var expected = expectedOf(operation);
            effects += expected.Count(call => call.Succeeded);
            if (!CallsOf(operation).SequenceEqual(expected))
                order.Add($"operation {operation} called {string.Join(", ", CallsOf(operation))}");
        }

        yield return order.Check("service calls of each operation in their order");
        yield return CensusAudit.Equal("service calls in effect exactly once", effects, Effects);
    }

    /// <exception cref="ServiceUnavailableException">The call was selected to fail.</exception>
    public void Call(int operation, string service, Guid idempotencyKey)
    {
        var calls =
            Volatile.Read(ref _calls[operation]) ?? Interlocked.CompareExchange(ref _calls[operation], new(4), null) ?? _calls[operation]!;
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

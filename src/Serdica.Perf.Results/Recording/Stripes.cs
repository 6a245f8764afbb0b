namespace Serdica.Perf.Results.Recording;

/// <summary>
/// One recorder for each processor, so that callers on different processors do not wait for each other. Each has a lock, because a
/// thread may move to another processor between choosing its stripe and recording; the lock is nearly always free.
/// </summary>
internal sealed class Stripes<T>
    where T : class, new()
{
    private readonly Stripe[] _stripes =
    [
        .. Enumerable
            .Range(0, (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount))
            .Select(_ => new Stripe()),
    ];

    /// <summary>The stripe of the caller's processor; lock it while using its recorder.</summary>
    public Stripe Current => _stripes[Thread.GetCurrentProcessorId() & (_stripes.Length - 1)];

    /// <summary>Visits every recorder in turn, locked.</summary>
    public void ForEach(Action<T> visit)
    {
        foreach (var stripe in _stripes)
        {
            lock (stripe.Lock)
                visit(stripe.Recorder);
        }
    }

    internal sealed class Stripe
    {
        public readonly Lock Lock = new();

        public readonly T Recorder = new();
    }
}

namespace Serdica.Perf.Compliance;

/// <summary>Turns that count their signals, and wait for the test between their claim and their decision.</summary>
internal sealed class HeldTurns : IDisposable
{
    /// <summary>Has an entry for each turn that has made its claim.</summary>
    public SemaphoreSlim Begun { get; } = new(0);

    public TaskCompletionSource MayGoOn { get; } = new();

    public async Task<IReadOnlyList<Decision>> DecideAsync(ClaimedBatch batch)
    {
        Begun.Release();
        await MayGoOn.Task;
        return Seam.Count(batch);
    }

    public void Dispose() => Begun.Dispose();
}

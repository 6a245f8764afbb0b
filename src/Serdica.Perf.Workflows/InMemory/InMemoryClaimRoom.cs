namespace Serdica.Perf.Workflows;

/// <summary>What is left of a claim's bounds.</summary>
internal struct InMemoryClaimRoom(ClaimRequest request)
{
    private int _signals = request.MaxSignals;
    private long _bytes = request.MaxBytes;

    public readonly bool IsFull => _signals <= 0 || IsFullOfBytes;

    public readonly bool IsFullOfBytes => _bytes <= 0;

    public void Take(InstanceRecord record) => _bytes -= record.State.Length + (record.Progress?.Length ?? 0);

    public void Take(Signal signal)
    {
        _signals--;
        _bytes -= signal.Payload.Length;
    }
}

namespace Serdica.Perf.Workflows;

/// <summary>
/// One item of a batch of <see cref="IWorkflowBackend.SubmitAsync(IReadOnlyList{Submission}, CancellationToken)"/>; the backend sets
/// its outcome.
/// </summary>
public abstract class Submission
{
    /// <summary>
    /// Why this item alone has no outcome: its batch was written, this item was not stored, and the reason could not be read.
    /// Its caller gets the error; <see langword="null"/> otherwise.
    /// </summary>
    public WorkflowBackendException? Failure { get; set; }

    /// <summary>Bytes of the payloads and states that it writes.</summary>
    internal abstract long Size { get; }

    /// <summary>The slot of its instance.</summary>
    internal abstract int Slot { get; }
}

/// <summary>A new instance, decided up to its first wait.</summary>
public sealed class StartSubmission(Decision decision) : Submission
{
    /// <summary>What to insert; <see cref="Decision.Instance"/> is set.</summary>
    public Decision Decision { get; } = decision;

    /// <summary>
    /// The instance with this business key that was there before; <see langword="null"/> when the new one was
    /// inserted.
    /// </summary>
    public ExistingInstance? Existing { get; set; }

    /// <summary>Set when it leases activities to the host that has decided it.</summary>
    internal StartPlaces? Places { get; init; }

    internal override int Slot => SortableId.SlotOf(Decision.Instance!.Id);

    internal override long Size
    {
        get
        {
            var size = SizeOf(Decision.Instance!);
            foreach (var started in CollectionsMarshal.AsSpan(Decision.Started))
                size += SizeOf(started);
            foreach (var sent in CollectionsMarshal.AsSpan(Decision.Sent))
                size += sent.Payload.Length;
            return size;
        }
    }

    private static long SizeOf(InstanceRecord instance) => instance.State.Length + (instance.Progress?.Length ?? 0);
}

/// <summary>The instance that already holds a business key.</summary>
public sealed record ExistingInstance(Guid Id, string Definition);

/// <summary>A signal to an existing instance.</summary>
public sealed class SignalSubmission(Signal signal, string? businessKey = null, string? dedupKey = null) : Submission
{
    /// <summary>The signal; its instance id is empty when <see cref="BusinessKey"/> names the instance.</summary>
    public Signal Signal { get; } = signal;

    /// <summary>Names the instance in place of its id.</summary>
    public string? BusinessKey { get; } = businessKey;

    /// <summary>At most one signal with this key is accepted by an instance, ever.</summary>
    public string? DedupKey { get; } = dedupKey;

    public PublishOutcome Outcome { get; set; }

    /// <summary>Its turn was written in the same commit, so it is not stored; set by the backend after the commit.</summary>
    public bool IsDecided { get; set; }

    internal override long Size => Signal.Payload.Length;

    internal override int Slot => BusinessKey is { } key ? SortableId.SlotOf(key) : SortableId.SlotOf(Signal.InstanceId);
}

/// <summary>What became of a published signal.</summary>
public enum PublishOutcome
{
    /// <summary>It is durable and will be handled, kept for its wait, or become a dead letter with a reason.</summary>
    Accepted = 0,

    /// <summary>The instance has accepted a signal with the same dedup key before; this one is not stored.</summary>
    Duplicate = 1,

    /// <summary>There is no such instance; the signal is not stored.</summary>
    UnknownInstance = 2,

    /// <summary>The instance has completed, faulted or been cancelled; the signal is not stored.</summary>
    InstanceClosed = 3,
}

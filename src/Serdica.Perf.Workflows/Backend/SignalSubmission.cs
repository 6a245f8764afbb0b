namespace Serdica.Perf.Workflows;

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

    internal override long Size => Signal.Payload.Length;
}

using System.Runtime.InteropServices;

namespace Serdica.Perf.Workflows;

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

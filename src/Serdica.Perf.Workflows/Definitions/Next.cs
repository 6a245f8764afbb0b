namespace Serdica.Perf.Workflows;

/// <summary>Where an instance goes after a step.</summary>
public readonly struct Next
{
    private Next(NextKind kind, string? text = null)
    {
        Kind = kind;
        Text = text;
    }

    internal NextKind Kind { get; }

    internal string? Text { get; }

    /// <summary>The next step in the order of the definition; behind the last one the instance is completed.</summary>
    public static Next Step => default;

    /// <summary>From the handler of a signal: the signal is consumed, and the wait goes on. Other steps cannot stay.</summary>
    public static Next Stay => new(NextKind.Stay);

    /// <summary>The instance is completed.</summary>
    public static Next Complete => new(NextKind.Complete);

    internal static Next RunInline => new(NextKind.RunInline);

    /// <summary>Another step, forward or back.</summary>
    public static Next GoTo(string step)
    {
        ArgumentException.ThrowIfNullOrEmpty(step);
        return new Next(NextKind.GoTo, step);
    }

    /// <summary>The instance has failed for good.</summary>
    public static Next Fault(string reason)
    {
        ArgumentException.ThrowIfNullOrEmpty(reason);
        return new Next(NextKind.Fault, reason);
    }
}

internal enum NextKind
{
    Step = 0,
    Stay,
    GoTo,
    Complete,
    Fault,

    /// <summary>The caller of Start runs the activity of this step before the insert.</summary>
    RunInline,
}

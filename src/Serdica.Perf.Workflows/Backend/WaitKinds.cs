namespace Serdica.Perf.Workflows;

/// <summary>
/// What an open instance waits for. Stored beside the status, so that a census can tell an instance that waits
/// for the outside from one that waits for a signal that no longer exists.
/// </summary>
[Flags]
public enum WaitKinds
{
    None = 0,
    External = 1,
    Timer = 2,
    Activity = 4,
    Child = 8,

    /// <summary>For a host that can continue it: its step is missing, or its state or progress cannot be read.</summary>
    Parked = 16,
}

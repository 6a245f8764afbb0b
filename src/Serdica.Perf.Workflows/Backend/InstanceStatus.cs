namespace Serdica.Perf.Workflows;

/// <summary>Where an instance stands. The numbers are stored; those from <see cref="Completed"/> on are closed.</summary>
public enum InstanceStatus
{
    /// <summary>An activity is running or ready to run.</summary>
    Running = 0,

    /// <summary>Waits for a signal, a timer or a child.</summary>
    Waiting = 1,

    Completed = 2,
    Faulted = 3,
    Cancelled = 4,
}

public static class InstanceStatusExtensions
{
    /// <summary>Whether nothing can happen to the instance any more.</summary>
    public static bool IsClosed(this InstanceStatus status) => status >= InstanceStatus.Completed;
}

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

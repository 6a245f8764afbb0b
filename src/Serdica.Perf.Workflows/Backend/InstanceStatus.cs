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

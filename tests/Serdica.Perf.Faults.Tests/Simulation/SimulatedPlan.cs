namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>How a simulated run goes: everything that is not decided by its seed.</summary>
internal sealed record SimulatedPlan
{
    public required Shape Shape { get; init; }

    /// <value>Decides who does the next step.</value>
    public int Seed { get; init; }

    /// <value>What happens at a call of a host, by its number from 1; all hosts count together.</value>
    public Func<int, SeamFault> HostFaults { get; init; } = static _ => SeamFault.None;

    /// <value>What happens at a call of the client; one that dies would leave its script, so it only loses answers.</value>
    public Func<int, SeamFault> ClientFaults { get; init; } = static _ => SeamFault.None;

    /// <value>How many clients run the shape, each on an instance of its own.</value>
    public int Clients { get; init; } = 1;

    /// <value>Whether an attempt of an activity fails, by its number.</value>
    public Func<int, bool> AttemptFails { get; init; } = static _ => false;

    /// <value>Whether a host is stopped now and then for longer than its leases hold, as by SIGSTOP.</value>
    public bool Pauses { get; init; }

    /// <value>Whether hosts decide results of activities directly, and parents in the commits that close their children.</value>
    public bool Direct { get; init; }

    /// <value>Tries of a signal by the engine; the limit of the checker is 3.</value>
    public int SignalAttempts { get; init; } = 3;

    /// <value>How long an attempt that another one has replaced gets to see its cancellation.</value>
    public TimeSpan Patience { get; init; } = HangGuard.Limit;
}

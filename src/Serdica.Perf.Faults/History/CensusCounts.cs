namespace Serdica.Perf.Faults.History;

/// <summary>What the database counts at the end.</summary>
/// <param name="Running">Open instances with an activity.</param>
/// <param name="Waiting">Other open instances.</param>
/// <param name="SignalsDue">Signals that no host has taken.</param>
/// <param name="SignalsLater">Signals whose time has not come.</param>
/// <param name="DeadLetters">Signals that could not be handled.</param>
/// <param name="Stuck">Open instances that nothing will ever move, as the database counts them.</param>
internal sealed record CensusCounts(
    long Running,
    long Waiting,
    long Completed,
    long Faulted,
    long Cancelled,
    long SignalsDue,
    long SignalsLater,
    long DeadLetters,
    long Stuck
)
{
    public static CensusCounts Of(BackendCensus census) =>
        new(
            census.Count(InstanceStatus.Running),
            census.Count(InstanceStatus.Waiting),
            census.Count(InstanceStatus.Completed),
            census.Count(InstanceStatus.Faulted),
            census.Count(InstanceStatus.Cancelled),
            census.SignalsDue,
            census.SignalsLater,
            census.DeadLetters,
            census.Stuck
        );
}

namespace Serdica.Perf.Results.Runs;

/// <summary>
/// What a scenario causes on purpose: the audit, which else allows none of it, then demands exactly so much.
/// </summary>
/// <param name="Cancelled">Instances that are cancelled in place of completed.</param>
/// <param name="DeadLetters">Signals that become dead letters.</param>
/// <param name="HandlerFailures">Attempts to handle a signal that fail.</param>
public sealed record IntendedTrouble(long Cancelled = 0, long DeadLetters = 0, long HandlerFailures = 0)
{
    public static IntendedTrouble None { get; } = new();
}

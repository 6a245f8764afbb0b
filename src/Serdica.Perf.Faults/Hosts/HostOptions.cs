using Serdica.Perf.Workflows;

namespace Serdica.Perf.Faults.Hosts;

/// <summary>
/// The settings of the engine in all processes of a run: short times, so that each recovery is seen within a few seconds.
/// </summary>
internal static class HostOptions
{
    public const int SignalAttempts = 3;

    public static WorkflowOptions Options { get; } =
        new()
        {
            ActivityLease = TimeSpan.FromSeconds(2),
            SignalRetry = new RetryPolicy { MaxAttempts = SignalAttempts, FirstDelay = TimeSpan.FromMilliseconds(20) },
        };

    /// <summary>How a failed activity is tried again.</summary>
    public static RetryPolicy ActivityRetry { get; } = new() { MaxAttempts = 10, FirstDelay = TimeSpan.FromMilliseconds(10) };
}

using Serdica.Perf.Measurement.Scenarios;

namespace Serdica.Perf.Faults.Hosts;

/// <summary>
/// The settings of the engine in all processes of a run: short times, so that each recovery is seen within a few seconds.
/// </summary>
internal static class HostOptions
{
    public const int SignalAttempts = 3;

    private static readonly WorkflowOptions Standard = new()
    {
        ActivityLease = FromSeconds(2),
        SignalRetry = new RetryPolicy { MaxAttempts = SignalAttempts, FirstDelay = FromMilliseconds(20) },
    };

    /// <param name="engine">Checked settings by name, which override those of the fault tier.</param>
    public static WorkflowOptions With(IReadOnlyDictionary<string, string> engine) => EngineSettings.Options(Standard, engine);

    /// <summary>How a failed activity is tried again.</summary>
    public static RetryPolicy ActivityRetry { get; } = new() { MaxAttempts = 10, FirstDelay = FromMilliseconds(10) };
}

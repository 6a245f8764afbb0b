namespace Serdica.Perf.Results.Runs;

/// <summary>The groups of scenarios. A report has a table for each group that the common tables do not show.</summary>
public static class ScenarioFamilies
{
    public const string SignalRoundtrip = "signal-roundtrip";

    /// <summary>Immediate and delayed bursts.</summary>
    public const string Transport = "transport";

    public const string ExternalResume = "external-resume";

    public const string BusinessFlow = "business-flow";

    /// <summary>Cancellations, poisonous signals, duplicates and recovery, including injected faults.</summary>
    public const string Resilience = "resilience";

    public const string FanOut = "fan-out";

    public const string Timers = "timers";

    public const string LargeState = "large-state";

    /// <summary>Steps of load tests; their own report shows them.</summary>
    public const string Load = "load";

    /// <summary>Workflows of users; the common tables show them.</summary>
    public const string OwnWorkflow = "own-workflow";
}

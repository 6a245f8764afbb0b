namespace Serdica.Perf.Measurement.Results;

/// <summary>The groups that a report has a table for.</summary>
public static class ScenarioFamilies
{
    public const string SignalRoundtrip = "signal-roundtrip";

    /// <summary>Immediate and delayed bursts.</summary>
    public const string Transport = "transport";

    public const string ExternalResume = "external-resume";

    public const string BusinessFlow = "business-flow";

    /// <summary>Workflows that are not ours; the common tables show them.</summary>
    public const string OwnWorkflow = "own-workflow";
}

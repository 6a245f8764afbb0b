namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>What a step has shown.</summary>
public enum StepVerdict
{
    /// <summary>Every operation is accounted for, none failed, the rate was held and every objective kept.</summary>
    Passed,

    /// <summary>Every operation came right and every objective was kept, but the figures deserve a doubt; the reasons say which.</summary>
    Degraded,

    /// <summary>Operations failed, were lost or left behind, the rate was missed, or an objective was not kept.</summary>
    Failed,
}

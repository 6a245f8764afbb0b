namespace Serdica.Perf.Results.Runs;

/// <summary>The stable names of the warnings that <c>WarningAnalysis</c> can find.</summary>
public static class WarningCodes
{
    public const string DebugBuild = "debug-build";
    public const string DebuggerAttached = "debugger-attached";
    public const string BusyMachine = "busy-machine";

    /// <summary>The system counted less processor time for the machine than its processes used.</summary>
    public const string ProcessorsUndercounted = "processors-undercounted";

    /// <summary>Nothing that a load left in the database was compared with what it should have left.</summary>
    public const string Unverified = "unverified";

    public const string WeakDurability = "weak-durability";
    public const string MemoryFileSystem = "memory-file-system";
    public const string FewSamples = "few-samples";

    /// <summary>The generator itself was late.</summary>
    public const string GeneratorLimited = "generator-limited";

    /// <summary>The limit was the process of engine and load generator, not the database.</summary>
    public const string HarnessLimited = "harness-limited";

    /// <summary>The warm-up was cut off by its longest time.</summary>
    public const string NotWarm = "not-warm";

    public const string NoSteadyState = "no-steady-state";

    public const string SamplesMissing = "samples-missing";

    /// <summary>The steps of the scenario were made slow on purpose.</summary>
    public const string StepDelay = "step-delay";

    /// <summary>Something that should stay where it is grows in a soak.</summary>
    public const string RisingTrend = "rising-trend";

    /// <summary>Something that should stay where it is shrinks in a soak.</summary>
    public const string FallingTrend = "falling-trend";

    /// <summary>The engine had trouble with the database and went on.</summary>
    public const string EngineWarning = "engine-warning";

    /// <summary>Arrivals of an open load began late or never.</summary>
    public const string LoadNotHeld = "load-not-held";
}

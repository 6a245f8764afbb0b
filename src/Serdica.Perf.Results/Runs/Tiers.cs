namespace Serdica.Perf.Results.Runs;

/// <summary>The tiers, which are the values of the tests' <c>Category</c> trait.</summary>
public static class Tiers
{
    public const string Smoke = "WorkflowPerfSmoke";
    public const string Latency = "WorkflowPerfLatency";
    public const string Throughput = "WorkflowPerfThroughput";
    public const string Nightly = "WorkflowPerfNightly";
    public const string Soak = "WorkflowPerfSoak";
    public const string Capacity = "WorkflowPerfCapacity";

    /// <summary>Runs under faults; no scenario of the catalogue has this tier.</summary>
    public const string Faults = "WorkflowPerfFaults";

    /// <summary>Steps of load tests; no scenario of the catalogue has this tier.</summary>
    public const string Load = "WorkflowPerfLoad";

    private const string Prefix = "WorkflowPerf";

    /// <summary>The name as it is typed: <c>smoke</c>.</summary>
    public static string ShortName(string tier)
    {
        ArgumentNullException.ThrowIfNull(tier);
        return tier.StartsWith(Prefix, Ordinal) ? tier[Prefix.Length..].ToLowerInvariant() : tier;
    }
}

using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Suite;

/// <summary>Values of the <c>Category</c> trait: <c>dotnet test --filter Category=WorkflowPerfSmoke</c>.</summary>
public static class PerfCategory
{
    /// <summary>The name of the trait.</summary>
    public const string Name = "Category";

    public const string Smoke = Tiers.Smoke;
    public const string Latency = Tiers.Latency;
    public const string Throughput = Tiers.Throughput;
    public const string Nightly = Tiers.Nightly;
    public const string Soak = Tiers.Soak;
    public const string Capacity = Tiers.Capacity;
    public const string Faults = Tiers.Faults;
}

using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Suite;

/// <summary>The one assertion of a perf test: what was measured is correct.</summary>
internal static class Measured
{
    public static void Passed(ScenarioResult result)
    {
        if (result.Status != ScenarioStatus.Passed)
            Assert.Fail($"{result.Name}: {string.Join(" ", result.FailureReasons)}");
    }
}

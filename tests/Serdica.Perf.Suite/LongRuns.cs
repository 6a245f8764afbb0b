namespace Serdica.Perf.Suite;

/// <summary>Scenarios that take minutes, which a tier must not.</summary>
internal static class LongRuns
{
    private const string Variable = "SERDICA_PERF_LONG";

    public static void SkipUnlessAsked()
    {
        if (Environment.GetEnvironmentVariable(Variable) != "1")
            Assert.Skip(
                $"It takes more than ten minutes: set {Variable}=1 to measure it here, or run 'serdica-perf run --scenario long-soak "
                    + $"--duration 10m'."
            );
    }
}

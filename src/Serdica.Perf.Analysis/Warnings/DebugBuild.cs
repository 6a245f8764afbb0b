namespace Serdica.Perf.Analysis.Warnings;

/// <summary>A Debug build measures slow code.</summary>
internal static class DebugBuild
{
    public static IEnumerable<RunWarning> Of(RuntimeDescription runtime)
    {
        if (runtime.EntryConfiguration == "Debug" || runtime.SuiteConfiguration == "Debug")
            yield return new(WarningCodes.DebugBuild, "This is a Debug build: its figures are too slow. Run with -c Release.");
    }
}

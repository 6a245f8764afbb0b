namespace Serdica.Perf.Analysis.Warnings;

/// <summary>A debugger slows down what runs under it.</summary>
internal static class DebuggerAttached
{
    public static IEnumerable<RunWarning> Of(RuntimeDescription runtime)
    {
        if (runtime.DebuggerAttached)
            yield return new(WarningCodes.DebuggerAttached, "A debugger was attached: its figures are too slow. Run without debugging.");
    }
}

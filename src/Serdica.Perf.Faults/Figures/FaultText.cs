namespace Serdica.Perf.Faults.Figures;

/// <summary>The figures that a reader wants first of each fault, for a terminal of 80 columns.</summary>
internal static class FaultText
{
    public static void Write(TextWriter output, IReadOnlyList<FaultFigures> faults)
    {
        if (faults.Count == 0)
            return;
        output.WriteLine("      At  Fault             Target     Lasted   Kept  95 % again after   Failed");
        foreach (var fault in faults)
            output.WriteLine(
                Invariant($"{fault.At,6:0.0} s  {FaultTraits.Name(fault.Kind),-16}  {fault.Target,-8} {fault.Lasted,6:0.0} s ")
                    + Invariant($"{Cell(fault.RateKept * 100, "%"),6}  {Cell(fault.RecoveredAfter, "ms"),16}  {fault.FailedCalls,7:N0}")
            );
        output.WriteLine();
        output.WriteLine("Kept: the rate during the fault as a share of that before it. Failed: calls.");
    }

    private static string Cell(double? value, string unit) => value is { } number ? Invariant($"{number:N0} {unit}") : "-";
}

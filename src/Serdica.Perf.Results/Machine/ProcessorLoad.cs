namespace Serdica.Perf.Results.Machine;

/// <summary>How busy the machine's processors have been since it started, in the kernel's ticks.</summary>
internal readonly record struct ProcessorLoad(double Busy, double Total)
{
    /// <returns><see langword="null"/> where the system does not report it.</returns>
    public static ProcessorLoad? Read(string root) =>
        MachineProcessorTime.ReadTicks(root) is { } ticks ? new(ticks.Busy, ticks.Total) : null;

    /// <summary>The busy part since <paramref name="before"/>, 0 to 1; null when no tick has passed.</summary>
    public double? Since(ProcessorLoad before) =>
        Total > before.Total ? Math.Clamp((Busy - before.Busy) / (Total - before.Total), 0, 1) : null;
}

using System.Globalization;

namespace Serdica.Perf.Results.Machine;

/// <summary>How busy the machine's processors have been since it started, in the kernel's ticks.</summary>
internal readonly record struct ProcessorLoad(double Busy, double Total)
{
    /// <returns><see langword="null"/> where the system does not tell.</returns>
    public static ProcessorLoad? Read(string root)
    {
        // "cpu  user nice system idle iowait irq softirq steal guest guest_nice": guests are in user and nice already.
        var line = SystemFile.Read(root, "proc/stat")?.Split('\n')[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (line is not ["cpu", _, _, _, _, _, _, _, ..])
            return null;

        var ticks = line.Skip(1).Take(8).Select(text => double.Parse(text, CultureInfo.InvariantCulture)).ToArray();
        var total = ticks.Sum();
        return new(total - ticks[3] - ticks[4], total);
    }

    /// <summary>The busy part since <paramref name="before"/>, 0 to 1; null when no tick has passed.</summary>
    public double? Since(ProcessorLoad before) =>
        Total > before.Total ? (Busy - before.Busy) / (Total - before.Total) : null;
}

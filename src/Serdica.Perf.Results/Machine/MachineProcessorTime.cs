using System.Globalization;

namespace Serdica.Perf.Results.Machine;

/// <summary>Processor time of the whole machine since it was started.</summary>
public static class MachineProcessorTime
{
    /// <summary>Ticks of <c>proc/stat</c>: Linux counts hundredths of a second there on every architecture.</summary>
    private const double TicksPerSecond = 100;

    private const int IdleColumn = 3;
    private const int IoWaitColumn = 4;
    private const int StealColumn = 7;

    /// <summary>
    /// User, system, interrupt and stolen time over all processors: whatever the processors could not do for somebody else.
    /// Null where the system does not tell. Time of guests is in user time already.
    /// </summary>
    public static TimeSpan? Read(EnvironmentOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var line = SystemFile.Read(options.SystemRoot, "proc/stat")?.Split('\n')[0];
        var columns = line?.Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).ToArray();
        if (columns is not { Length: > StealColumn })
            return null;

        var busy = 0L;
        for (var column = 0; column <= StealColumn; column++)
        {
            if (!long.TryParse(columns[column], CultureInfo.InvariantCulture, out var ticks))
                return null;
            if (column is not (IdleColumn or IoWaitColumn))
                busy += ticks;
        }

        return TimeSpan.FromSeconds(busy / TicksPerSecond);
    }
}

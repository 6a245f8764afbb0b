using System.Diagnostics;
using System.Globalization;

namespace Serdica.Perf.Databases.Local;

/// <summary>The process that a throw-away server belongs to, as its folder's marker file records it.</summary>
internal sealed record ClusterOwner(string Machine, int ProcessId, string ProcessName)
{
    private const string Heading = "Throw-away PostgreSQL server of Serdica.Perf; removed with its owner:";

    public static ClusterOwner ThisProcess
    {
        get
        {
            using var process = Process.GetCurrentProcess();
            return new ClusterOwner(Environment.MachineName, process.Id, process.ProcessName);
        }
    }

    /// <summary>
    /// Whether the owner can be known to run no more. A container that shares the folder has another machine name and
    /// processes that cannot be seen from here, so what is not ours to judge counts as alive.
    /// </summary>
    public bool IsGone()
    {
        if (Machine != Environment.MachineName)
            return false;

        try
        {
            using var process = Process.GetProcessById(ProcessId);

            // The number may have been given to another program since.
            return process.ProcessName != ProcessName;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException)
        {
            return true;
        }
    }

    /// <summary>The same on one line, for the label of a container; read by <see cref="Parse"/>.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Machine}/{ProcessId}/{ProcessName}");

    /// <summary>Reads what <see cref="ToString"/> wrote; <see langword="null"/> when it is something else.</summary>
    public static ClusterOwner? Parse(string text)
        => text.Split('/', 3) is [var machine, var id, var name] && int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var processId)
            ? new ClusterOwner(machine, processId, name)
            : null;

    public void Write(string file)
        => File.WriteAllLines(file, [Heading, Machine, ProcessId.ToString(CultureInfo.InvariantCulture), ProcessName]);

    /// <summary>Reads a marker file; <see langword="null"/> when there is none or it is not one of ours.</summary>
    public static ClusterOwner? Read(string file)
    {
        try
        {
            return File.ReadAllLines(file) is [Heading, var machine, var id, var name]
                && int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var processId)
                ? new ClusterOwner(machine, processId, name)
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}

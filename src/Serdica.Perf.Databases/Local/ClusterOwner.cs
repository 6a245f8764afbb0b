namespace Serdica.Perf.Databases.Local;

/// <summary>The process that a throw-away server belongs to, as its folder's marker file records it.</summary>
/// <param name="Place">Where its number means something: <see cref="ProcessPlace"/>.</param>
internal sealed record ClusterOwner(string Place, int ProcessId, string ProcessName)
{
    private const string Heading = "Throw-away PostgreSQL server of Serdica.Perf; removed with its owner:";

    public static ClusterOwner ThisProcess
    {
        get
        {
            using var process = Process.GetCurrentProcess();
            return new ClusterOwner(ProcessPlace.Here, process.Id, process.ProcessName);
        }
    }

    /// <summary>
    /// Whether the owner is known to have ended. Another machine or container that shares the folder or the container
    /// engine has processes that cannot be seen from here, so what is not ours to judge counts as alive.
    /// </summary>
    public bool IsGone()
    {
        if (Place != ProcessPlace.Here)
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

    /// <summary>The owner on one line, for the label of a container; parsed by <see cref="Parse"/>.</summary>
    public override string ToString() => Invariant($"{Place}/{ProcessId}/{ProcessName}");

    /// <summary>Reads what <see cref="ToString"/> wrote; <see langword="null"/> when it is something else.</summary>
    public static ClusterOwner? Parse(string text) =>
        text.Split('/', 3) is [var place, var id, var name]
        && int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var processId)
            ? new ClusterOwner(place, processId, name)
            : null;

    public void Write(string file) =>
        File.WriteAllLines(file, [Heading, Place, ProcessId.ToString(CultureInfo.InvariantCulture), ProcessName]);

    /// <summary>Reads a marker file; <see langword="null"/> when there is none or it is not one of ours.</summary>
    public static ClusterOwner? Read(string file)
    {
        try
        {
            return
                File.ReadAllLines(file) is [Heading, var place, var id, var name]
                && int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var processId)
                ? new ClusterOwner(place, processId, name)
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}

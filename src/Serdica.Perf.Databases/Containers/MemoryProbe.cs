namespace Serdica.Perf.Databases.Containers;

/// <summary>Finds out whether processes of a container were killed for want of memory.</summary>
internal static partial class MemoryProbe
{
    /// <summary>The memory counters of control groups version 2 and version 1.</summary>
    internal static readonly string[] Counters = ["/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"];

    /// <exception cref="ContainerEngineException">The engine refuses.</exception>
    public static async Task<bool> RanOutAsync(IDatabaseContainer container, CancellationToken cancellationToken)
    {
        var state = await container.InspectAsync(cancellationToken);
        if (state.RanOutOfMemory || !state.IsRunning)
            return state.RanOutOfMemory;

        // While the first process lives engines report nothing about the others. One of the files is missing.
        var (_, output, _) = await container.RunAsync(["cat", .. Counters], cancellationToken);
        return Killed().Matches(output).Any(match => long.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture) > 0);
    }

    [GeneratedRegex(@"^oom_kill (\d+)", RegexOptions.Multiline)]
    private static partial Regex Killed();
}

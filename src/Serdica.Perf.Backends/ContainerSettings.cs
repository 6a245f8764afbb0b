using Serdica.Perf.Analysis.Capacity;

namespace Serdica.Perf.Backends;

/// <summary>What of a container tells one run from another, as settings beside those of its server.</summary>
internal static class ContainerSettings
{
    private const string NoLimit = "no limit";

    public static IEnumerable<KeyValuePair<string, string>> Of(ContainerDescription? container)
    {
        if (container is null)
            yield break;

        yield return new("container.engine", container.Engine);
        yield return new(ServerSizes.ContainerProcessors, container.Cpus?.ToString(CultureInfo.InvariantCulture) ?? NoLimit);
        yield return new("container.memory", container.MemoryBytes is { } bytes ? Invariant($"{bytes} bytes") : NoLimit);
        if (container.IsReused)
            yield return new("container.reused", "yes: data and caches of earlier runs are in it");
    }
}

using Docker.DotNet;
using Docker.DotNet.Models;

namespace Serdica.Perf.Databases.Containers;

/// <summary>A container of the library's, seen through the port.</summary>
/// <param name="host">Where published ports are reached.</param>
internal sealed class TestcontainersContainer(IContainer container, IDockerClient client, ContainerPlan plan, string host)
    : IDatabaseContainer
{
    public string Id { get; } = container.Id;

    public string Host => plan.Network is null ? host : container.IpAddress;

    public int Port { get; private set; } = PortOf(container, plan);

    public static async Task<string> ReadLogAsync(IContainer container, CancellationToken cancellationToken)
    {
        var (output, errors) = await container.GetLogsAsync(timestampsEnabled: false, ct: cancellationToken);
        return output + errors;
    }

    public Task SignalAsync(string signal, CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(async () =>
        {
            var parameters = new ContainerKillParameters { Signal = signal };
            await client.Containers.KillContainerAsync(Id, parameters, cancellationToken);
            return true;
        });

    public Task StartAgainAsync(CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(async () =>
        {
            try
            {
                await container.StartAsync(cancellationToken);
                return Port = PortOf(container, plan);
            }
            catch (TimeoutException) when (cancellationToken.IsCancellationRequested)
            {
                throw new OperationCanceledException(cancellationToken);
            }
        });

    public Task SetPausedAsync(bool isPaused, CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(async () =>
        {
            var done = isPaused ? container.PauseAsync(cancellationToken) : container.UnpauseAsync(cancellationToken);
            await done;
            return true;
        });

    public Task<ContainerState> InspectAsync(CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(async () =>
        {
            var found = await client.Containers.InspectContainerAsync(Id, cancellationToken);
            var image = await client.Images.InspectImageAsync(found.Image, cancellationToken);

            return new ContainerState(
                found.State!.Running,
                found.State.ExitCode,
                NameOf(found.Config!.Image, image),
                found.HostConfig!.NanoCPUs is > 0 and var cpus ? cpus / 1e9 : null,
                found.HostConfig.Memory is > 0 and var memory ? memory : null,
                found.State.OOMKilled,
                found.State.Paused,
                DateTimeOffset.Parse(found.State.StartedAt, CultureInfo.InvariantCulture)
            );
        });

    public Task<string> ReadLogAsync(CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(() => ReadLogAsync(container, cancellationToken));

    public Task<ContainerUsage> ReadUsageAsync(CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(async () =>
        {
            var taken = new Taken();
            await client.Containers.GetContainerStatsAsync(
                Id,
                new ContainerStatsParameters { Stream = false, OneShot = true },
                taken,
                cancellationToken
            );
            return taken.Usage ?? throw new InvalidOperationException("The engine sent no statistics.");
        });

    public Task<CommandOutcome> RunAsync(IReadOnlyList<string> command, CancellationToken cancellationToken) =>
        EngineRequests.AskAsync(async () =>
        {
            var result = await container.ExecAsync([.. command], cancellationToken);
            return new CommandOutcome(result.ExitCode ?? -1, result.Stdout, result.Stderr);
        });

    private static int PortOf(IContainer container, ContainerPlan plan) =>
        plan.Network is null ? container.GetMappedPublicPort(plan.Port) : plan.Port;

    private static string NameOf(string image, ImageInspectResponse details) =>
        image.Contains('@', Ordinal) ? image
        : details.RepoDigests?.FirstOrDefault() is { } digest ? $"{image}@{digest.Split('@')[^1]}"
        : $"{image}, id {details.ID}";

    /// <summary>Takes the one report at once; <see cref="Progress{T}"/> would hand it over later.</summary>
    private sealed class Taken : IProgress<ContainerStatsResponse>
    {
        public ContainerUsage? Usage { get; private set; }

        public void Report(ContainerStatsResponse value) =>
            Usage = new ContainerUsage(
                FromTicks((long)(value.CPUStats!.CPUUsage.TotalUsage / (ulong)TimeSpan.NanosecondsPerTick)),
                Memory(value.MemoryStats),
                Bytes(value.BlkioStats, "read"),
                Bytes(value.BlkioStats, "write")
            );

        /// <summary>As the engine's own command line counts it; the names are those of control groups of version 1 and 2.</summary>
        private static long? Memory(MemoryStats? memory)
        {
            if (memory?.Usage is not { } usage)
                return null;

            var cache =
                memory.Stats is { } parts
                && (parts.TryGetValue("total_inactive_file", out var old) || parts.TryGetValue("inactive_file", out old))
                    ? old
                    : 0;
            return (long)(usage - Math.Min(cache, usage));
        }

        private static long? Bytes(BlkioStats? blocks, string operation) =>
            blocks?.IoServiceBytesRecursive is { Count: > 0 } entries
                ? entries.Where(entry => string.Equals(entry.Op, operation, OrdinalIgnoreCase)).Sum(entry => (long)entry.Value)
                : null;
    }
}

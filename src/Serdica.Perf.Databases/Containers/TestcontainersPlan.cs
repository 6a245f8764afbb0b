using Docker.DotNet.Models;
using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Configurations;
using Microsoft.Extensions.Logging.Abstractions;

namespace Serdica.Perf.Databases.Containers;

/// <summary>A plan in the words of the library.</summary>
internal static class TestcontainersPlan
{
    private const UnixFileModes Everybody = UnixFileModes.UserRead | UnixFileModes.GroupRead | UnixFileModes.OtherRead;

    public static IContainer Build(ContainerPlan plan, EngineEndpoint endpoint)
    {
        // Its own clean-up is a privileged helper container from another image; ours is by label. Its logger would print
        // to the console, passwords of command lines among it. The waits are ours, too.
        var builder = new ContainerBuilder(plan.Image)
            .WithDockerEndpoint(endpoint.Address)
            .WithLogger(NullLogger.Instance)
            .WithCleanUp(false)
            .WithEnvironment(plan.Environment)
            .WithCommand([.. plan.Command])
            .WithCreateParameterModifier(parameters => Limit(parameters, plan, endpoint));

        if (plan.Network is null)
            builder = builder.WithPortBinding(plan.Port, assignRandomHostPort: true);
        builder = plan.DataInMemory ? builder.WithTmpfsMount(plan.DataFolder) : builder.WithVolumeMount(plan.Volume, plan.DataFolder);

        foreach (var (name, value) in plan.Labels)
            builder = builder.WithLabel(name, value);

        foreach (var file in plan.Files)
        {
            var owner = file.OnlyFor ?? 0;
            builder = builder.WithResourceMapping(
                Encoding.UTF8.GetBytes(file.Content),
                file.Path,
                owner,
                owner,
                file.OnlyFor is null ? Everybody : UnixFileModes.UserRead
            );
        }

        return (plan.KeptAs is null ? builder : builder.WithReuse(true)).Build();
    }

    internal static void Limit(CreateContainerParameters parameters, ContainerPlan plan, EngineEndpoint endpoint)
    {
        var host = parameters.HostConfig!;

        if (plan.Network is not null)
            host.NetworkMode = plan.Network;
        else
            foreach (var binding in host.PortBindings.Values.SelectMany(bindings => bindings))
                binding.HostIP = endpoint.PublishOn;

        if (plan.Cpus is { } cpus)
            host.NanoCPUs = (long)Math.Round(cpus * 1e9);

        // Both limits are equal, so the container has no swap.
        if (plan.MemoryBytes is { } bytes)
            host.Memory = host.MemorySwap = bytes;
    }
}

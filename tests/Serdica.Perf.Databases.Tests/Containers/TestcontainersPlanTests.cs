using Docker.DotNet.Models;

namespace Serdica.Perf.Databases.Tests.Containers;

public sealed class TestcontainersPlanTests
{
    internal static readonly ContainerPlan Plan = new()
    {
        Image = "postgres",
        Port = 5432,
        DataFolder = "/data",
        Volume = "volume",
        Cpus = 1.5,
        MemoryBytes = 1 << 30,
    };

    /// <summary>The engine would publish on all interfaces, and give a container as much swap as memory.</summary>
    [Theory]
    [InlineData("unix:///var/run/docker.sock", "127.0.0.1")]
    [InlineData("tcp://engine.test:2375", "0.0.0.0")]
    public void Ports_are_for_who_uses_them_and_limits_are_those_of_the_plan(string engine, string published)
    {
        var binding = new PortBinding { HostPort = "0" };
        var parameters = new CreateContainerParameters
        {
            HostConfig = new() { PortBindings = new Dictionary<string, IList<PortBinding>> { ["5432/tcp"] = [binding] } },
        };

        TestcontainersPlan.Limit(parameters, Plan, EngineEndpoint.Of(new() { Engine = engine }).Endpoint!);

        Assert.Equal((published, "0"), (binding.HostIP, binding.HostPort));
        var host = parameters.HostConfig;
        Assert.Equal((1_500_000_000L, 1L << 30, 1L << 30), (host.NanoCPUs, host.Memory, host.MemorySwap));
    }

    [Fact]
    public void Container_of_a_cluster_is_on_its_network()
    {
        var parameters = new CreateContainerParameters { HostConfig = new() };

        TestcontainersPlan.Limit(parameters, Plan with { Network = "cluster" }, ProcessEngine.Found().Endpoint);

        Assert.Equal("cluster", parameters.HostConfig.NetworkMode);
    }
}

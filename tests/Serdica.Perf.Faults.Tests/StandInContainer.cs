using Microsoft.Extensions.Logging.Abstractions;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Containers;
using Serdica.Perf.Databases.Containers.Modules;
using Serdica.Perf.Databases.PostgreSql;
using Serdica.Perf.Databases.Tests.Containers;

namespace Serdica.Perf.Faults.Tests;

/// <summary>PostgreSQL in what stands for a container, started and described as in a real one.</summary>
internal static class StandInContainer
{
    public static async Task<ContainerServer> StartAsync(ProcessEngine engine, string folder, bool keep = false)
    {
        var found = new EngineFinding.Found(new(new("unix:///stand-in"), "127.0.0.1", "127.0.0.1"), "Stand-in 1.0", new(1, 44));
        var source = new ContainerSource(
            new PostgreSqlModule(new StandardPostgreSql()),
            _ => engine,
            (_, _) => Task.FromResult<EngineFinding>(found)
        );
        var outcome = await source.ProvisionAsync(
            new() { TemporaryFolder = folder, Container = new() { Keep = keep } },
            NullLogger.Instance,
            TestContext.Current.CancellationToken
        );
        return Assert.IsType<ContainerServer>(Assert.IsType<ProvisionOutcome.Provisioned>(outcome).Server);
    }
}

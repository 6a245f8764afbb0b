using System.Runtime.CompilerServices;

namespace Serdica.Perf.Databases.Tests;

/// <summary>
/// The clusters that the local servers of this process are copies of: a copy takes a tenth of the processor time of initdb. The tests of
/// local servers themselves, in Serdica.Perf.Databases.Tests, do without.
/// </summary>
internal static class MadeClusters
{
    private static readonly ConcurrentDictionary<(string Backend, string Programs), Lazy<Task<Local.LocalCluster>>> Clusters = new();

    [ModuleInitializer]
    internal static void Prepare()
    {
        // Windows has no cp.
        if (!OperatingSystem.IsWindows())
        {
            Local.LocalPostgreSqlServer.Made = static (flavour, binaries, user) =>
                Clusters.GetOrAdd((flavour.Backend, binaries.Folder), _ => new(() => MakeAsync(flavour, binaries, user))).Value;
        }
    }

    /// <summary>No test's token ends it: others wait for the same cluster.</summary>
    private static async Task<Local.LocalCluster> MakeAsync(
        PostgreSql.PostgreSqlFlavour flavour,
        PostgreSql.Installed.PostgreSqlBinaries binaries,
        Local.ServerUser? user
    )
    {
        var folder = Local.ClusterFolder.Create(Local.TemporaryBase.Choose(requested: null).Folder);
        var cluster = new Local.LocalCluster(flavour, folder, binaries, user, NullLogger.Instance);

        // It removes the folder when this process ends, however it ends; until then something has to refer to it.
        var watchdog = await Local.Watchdog.StartAsync(folder, user, CancellationToken.None);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => watchdog!.Dispose();

        await cluster.MakeAsync(CancellationToken.None);
        return cluster;
    }
}

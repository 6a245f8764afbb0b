namespace Serdica.Perf.Databases.Local;

/// <summary>
/// Removes servers whose owner died and whose watchdog died too, or that never had one (Windows).
/// </summary>
internal static class StaleClusters
{
    private static readonly TimeSpan StopLimit = FromSeconds(15);

    public static void Sweep(string baseFolder, PostgreSqlBinaries binaries, ServerUser? user, ILogger logger)
    {
        foreach (var (folder, owner) in ClusterFolder.In(baseFolder).ToList())
        {
            if (!owner.IsGone())
                continue;

            try
            {
                if (folder.ServerProcessId is not null)
                    new ServerCommand(user, folder.Path).Run(
                        binaries.PgCtl,
                        ["stop", "-D", folder.DataFolder, "-m", "immediate", "-s"],
                        StopLimit
                    );

                folder.Delete();
                Log.RemovedStale(logger, folder.Path, owner.ProcessId);
            }
            catch (DirectoryNotFoundException)
            {
                // Another process, or the watchdog, swept at the same time.
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // Another user's, for instance. It stands in nobody's way.
                Log.StaleNotRemoved(logger, folder.Path, owner.ProcessId, e.Message);
            }
        }
    }
}

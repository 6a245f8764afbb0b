namespace Serdica.Perf.Analysis.Warnings;

/// <summary>The data of the database are in memory.</summary>
internal static class MemoryFileSystem
{
    public static IEnumerable<RunWarning> Of(DatabaseDescription database)
    {
        if (database.DataFileSystem is "tmpfs" or "ramfs")
            yield return new(
                WarningCodes.MemoryFileSystem,
                $"The data of {database.Backend} is on {database.DataFileSystem}, which is memory: a flush costs nothing there and "
                    + $"nothing is durable."
            );
    }
}

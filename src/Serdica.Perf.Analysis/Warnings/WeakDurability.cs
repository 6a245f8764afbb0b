namespace Serdica.Perf.Analysis.Warnings;

/// <summary>The database may lose what it acknowledged.</summary>
internal static class WeakDurability
{
    public static IEnumerable<RunWarning> Of(DatabaseDescription database)
    {
        var finding = database.Durability switch
        {
            Durability.Durable => null,
            Durability.LossOnCrash => "may lose its last acknowledged commits in a crash",
            Durability.NotDurable => "is not durable",
            _ => "did not report how durable it is",
        };
        if (finding is not null && !database.IsInProcess)
            yield return new(
                WarningCodes.WeakDurability,
                $"{database.Backend} {finding}, which is below the requested class (durable). Its figures are not comparable with those "
                    + $"of a durable database."
            );
    }
}

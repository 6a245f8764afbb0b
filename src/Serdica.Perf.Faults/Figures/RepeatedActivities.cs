namespace Serdica.Perf.Faults.Figures;

/// <summary>
/// Finds in a history the attempts that ran because the lease of the attempt before had ended, and not because it failed.
/// </summary>
internal static class RepeatedActivities
{
    /// <returns>Their wall times.</returns>
    public static IReadOnlyList<DateTimeOffset> Read(string folder)
    {
        var failed = new HashSet<(Guid?, int?)>();
        var later = new List<(Guid? Activity, int? Token, DateTimeOffset At)>();
        foreach (var file in HistoryFolder.Files(folder))
        {
            using var reader = new HistoryReader(file);
            var zero = DateTimeOffset.MinValue;
            while (reader.Read() is { Record: var record })
            {
                switch (record)
                {
                    case { Kind: HistoryKind.Process, Time: { } time }:
                        zero = time;
                        break;
                    case { Kind: HistoryKind.Effect, Phase: HistoryPhase.Failed }:
                        failed.Add((record.Id, record.Token));
                        break;
                    case { Kind: HistoryKind.Effect, Phase: HistoryPhase.Began, Token: > 1 }:
                        later.Add((record.Id, record.Token, zero + TimeSpan.FromMicroseconds(record.At)));
                        break;
                }
            }
        }

        return [.. later.Where(attempt => !failed.Contains((attempt.Activity, attempt.Token - 1))).Select(attempt => attempt.At)];
    }
}

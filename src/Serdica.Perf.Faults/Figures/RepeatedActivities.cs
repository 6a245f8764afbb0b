namespace Serdica.Perf.Faults.Figures;

/// <summary>
/// Finds in a history the attempts that ran because the lease of the attempt before had ended, and not because it failed.
/// </summary>
internal static class RepeatedActivities
{
    /// <returns>Their wall times.</returns>
    public static IReadOnlyList<DateTimeOffset> Read(string folder)
    {
        var failed = new Dictionary<(Guid?, int?), DateTimeOffset>();
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
                        failed.TryAdd((record.Id, record.Token), At(record));
                        break;
                    case { Kind: HistoryKind.Effect, Phase: HistoryPhase.Began, Token: > 1 }:
                        later.Add((record.Id, record.Token, At(record)));
                        break;
                }
            }

            DateTimeOffset At(HistoryRecord record) => zero + FromMicroseconds(record.At);
        }

        // An attempt that lost its lease is cancelled and fails too, when its host gets to it: that may be after the next began.
        return
        [
            .. later
                .Where(attempt => !(failed.TryGetValue((attempt.Activity, attempt.Token - 1), out var at) && at <= attempt.At))
                .Select(attempt => attempt.At),
        ];
    }
}

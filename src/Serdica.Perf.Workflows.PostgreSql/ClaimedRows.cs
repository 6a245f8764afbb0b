using System.Data.Common;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>What a claim returned: a row for each signal, with its instance in each, but for state and progress.</summary>
/// <param name="Batch">Each instance once, with its signals in order.</param>
/// <param name="NewestDue">The latest due time among the signals; <see cref="DateTime.MinValue"/> when there are none.</param>
/// <param name="Places">Where each instance stands in its table, as long as the transaction holds it.</param>
/// <param name="IsFilled">More may be due than the batch had room for.</param>
internal readonly record struct ClaimedRows(
    ClaimedBatch Batch, DateTime NewestDue, IReadOnlyDictionary<Guid, string> Places, bool IsFilled)
{
    private const int FirstInstanceColumn = 8;
    private const int PlaceColumn = FirstInstanceColumn + InstanceColumns.Count;

    public static async Task<ClaimedRows> ReadAsync(DbDataReader reader, CancellationToken cancellationToken)
    {
        var now = default(DateTimeOffset);
        var newest = DateTime.MinValue;
        var isFilled = false;
        var instances = new List<ClaimedInstance>();
        var byId = new Dictionary<Guid, ClaimedInstance>();
        var places = new Dictionary<Guid, string>();
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            now = new DateTimeOffset(reader.GetDateTime(0));
            isFilled = reader.GetBoolean(PlaceColumn + 1);
            var id = reader.GetGuid(1);

            // The first row of an instance has its state, in whatever order the rows come.
            if (!byId.TryGetValue(id, out var claimed))
            {
                claimed = new ClaimedInstance(InstanceColumns.Read(reader, id, FirstInstanceColumn));
                byId.Add(id, claimed);
                places.Add(id, reader.GetString(PlaceColumn));
                instances.Add(claimed);
            }

            var due = reader.GetDateTime(3);
            if (due > newest)
                newest = due;
            claimed.Signals.Add(ReadSignal(reader, id, due));
        }

        foreach (var claimed in instances)
        {
            if (claimed.Signals.Count > 1)
                claimed.Signals.Sort(static (a, b) => (a.Due.At, a.Id).CompareTo((b.Due.At, b.Id)));
        }

        return new ClaimedRows(new ClaimedBatch(now, instances), newest, places, isFilled);
    }

    private static Signal ReadSignal(DbDataReader reader, Guid instanceId, DateTime due) => new()
    {
        InstanceId = instanceId,
        Id = reader.GetGuid(2),
        Due = Due.AtTime(new DateTimeOffset(due)),
        Attempt = reader.GetInt32(4),
        Kind = (SignalKind)reader.GetInt16(5),
        Name = reader.GetString(6),
        Payload = reader.GetFieldValue<byte[]>(7),
    };
}

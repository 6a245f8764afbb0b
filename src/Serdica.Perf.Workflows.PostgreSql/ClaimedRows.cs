namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// What a claim returned: a row for each signal, with its instance in each; but state and progress in one row of an instance.
/// </summary>
internal sealed class ClaimedRows
{
    private const int FirstInstanceColumn = 8;
    private const int StateColumn = FirstInstanceColumn + InstanceColumns.State;
    private const int PlaceColumn = FirstInstanceColumn + InstanceColumns.Count;

    private readonly List<ClaimedInstance> _instances = [];
    private readonly Dictionary<Guid, ClaimedInstance> _byId = [];
    private readonly Dictionary<Guid, string> _places = [];
    private DateTimeOffset _now;

    /// <summary>Signals that came before the row with their instance's state.</summary>
    private List<Signal>? _early;

    /// <summary>Signals that are not the first of their instance, with their numbers.</summary>
    private List<(Signal Signal, long Number)>? _later;

    /// <summary>Each instance once, with its signals in order.</summary>
    public ClaimedBatch Batch
    {
        get
        {
            foreach (var claimed in _instances)
            {
                if (claimed.Signals.Count > 1)
                    claimed.Signals.Sort(static (a, b) => (a.Due.At, a.Id).CompareTo((b.Due.At, b.Id)));
            }

            return new ClaimedBatch(_now, _instances);
        }
    }

    /// <summary>The latest due time among the signals; <see cref="DateTime.MinValue"/> when there are none.</summary>
    public DateTime NewestDue { get; private set; } = DateTime.MinValue;

    /// <summary>Where each instance stands in its table, as long as the transaction holds it.</summary>
    public IReadOnlyDictionary<Guid, string> Places => _places;

    /// <summary>How many signals came.</summary>
    public int Signals { get; private set; }

    /// <summary>Bytes of payloads, and of the states and progress of the instances.</summary>
    public long Bytes =>
        _instances.Sum(static claimed =>
            claimed.Instance.State.Length
            + (claimed.Instance.Progress?.Length ?? 0)
            + claimed.Signals.Sum(static signal => (long)signal.Payload.Length)
        );

    /// <summary>There were too many bytes: only the oldest signals came.</summary>
    public bool IsCut { get; private set; }

    /// <summary>
    /// Instances of which somebody else has taken a signal before one that came, by the last that came: they are still to be read.
    /// </summary>
    public IReadOnlyList<Signal> Gapped { get; private set; } = [];

    public static async Task<ClaimedRows> ReadAsync(DbDataReader reader, CancellationToken cancellationToken)
    {
        var rows = new ClaimedRows();
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
            rows.Add(reader);
        if (rows._later is { } later)
        {
            rows._early = rows._early?.FindAll(signal => !rows.TryAdd(signal));
            rows.Gapped =
            [
                .. later
                    .GroupBy(static row => row.Signal.InstanceId)
                    .Where(row => !rows._byId.ContainsKey(row.Key) || row.Max(static one => one.Number) > row.Count() + 1)
                    .Select(static row => row.MaxBy(static one => one.Number).Signal),
            ];
        }

        return rows;
    }

    /// <summary>Reads those that are <see cref="Gapped"/>: id, then the columns of an instance.</summary>
    public async Task ReadGappedAsync(DbDataReader reader, CancellationToken cancellationToken)
    {
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            if (!_byId.ContainsKey(reader.GetGuid(0)))
                Add(InstanceColumns.Read(reader, reader.GetGuid(0), 1));
        }

        _early?.ForEach(signal => TryAdd(signal));
    }

    private void Add(DbDataReader row)
    {
        _now = new DateTimeOffset(row.GetDateTime(0));
        IsCut = row.GetBoolean(PlaceColumn + 1);
        Signals++;
        var id = row.GetGuid(1);
        var due = row.GetDateTime(3);
        if (due > NewestDue)
            NewestDue = due;
        if (!_places.ContainsKey(id))
            _places.Add(id, row.GetString(PlaceColumn));
        if (!row.IsDBNull(StateColumn))
            Add(InstanceColumns.Read(row, id, FirstInstanceColumn));
        var signal = ReadSignal(row, id, due);
        if (!TryAdd(signal))
            (_early ??= []).Add(signal);
        if (row.GetInt64(PlaceColumn + 2) is > 1 and var number)
            (_later ??= []).Add((signal, number));
    }

    private void Add(InstanceRecord instance)
    {
        var claimed = new ClaimedInstance(instance);
        _byId.Add(instance.Id, claimed);
        _instances.Add(claimed);
    }

    private bool TryAdd(Signal signal)
    {
        if (!_byId.TryGetValue(signal.InstanceId, out var claimed))
            return false;
        claimed.Signals.Add(signal);
        return true;
    }

    private static Signal ReadSignal(DbDataReader reader, Guid instanceId, DateTime due) =>
        new()
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

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Instances that a transaction holds because their signals can be decided before they are stored.</summary>
internal sealed class HeldInstances
{
    private const int PlaceColumn = InstanceColumns.Count + 1;

    private readonly Dictionary<Guid, HeldInstance> _byId = [];
    private int _parts;

    /// <summary>The clock of the database when they were locked.</summary>
    public DateTimeOffset Now { get; private set; }

    public Dictionary<Guid, HeldInstance>.ValueCollection All => _byId.Values;

    /// <summary>Adds the statements that hold instances: two, or two for each bucket.</summary>
    /// <param name="ids">Each once.</param>
    /// <param name="maxBytes">Of state and progress of all of them, in equal shares.</param>
    public void AddTo(NpgsqlBatch batch, PostgreSqlStatements statements, Guid[] ids, long maxBytes) =>
        _parts = statements.AddHoldTo(batch.BatchCommands, ids, maxBytes / Math.Max(1, ids.Length));

    public HeldInstance? Find(Guid id) => _byId.GetValueOrDefault(id);

    /// <summary>Reads the answers to the statements, and goes on to the next one.</summary>
    public async Task ReadAsync(DbDataReader reader, CancellationToken cancellationToken)
    {
        for (var part = 0; part < _parts; part++)
        {
            await ReadPartAsync(reader, cancellationToken).ConfigureAwait(false);
            await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task ReadPartAsync(DbDataReader reader, CancellationToken cancellationToken)
    {
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            var id = reader.GetGuid(0);
            Now = new DateTimeOffset(reader.GetDateTime(PlaceColumn + 1));
            _byId.Add(id, new HeldInstance(new ClaimedInstance(InstanceColumns.Read(reader, id, 1)), reader.GetString(PlaceColumn)));
        }

        await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
            _byId.Remove(reader.GetGuid(0));
    }
}

/// <summary>An instance that a transaction holds.</summary>
internal sealed class HeldInstance(ClaimedInstance claimed, string place)
{
    public ClaimedInstance Claimed => claimed;

    /// <summary>Where it stands in its table.</summary>
    public string Place => place;

    /// <summary>Null when it is left as it is.</summary>
    public Decision? Decision { get; set; }
}

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>What is asked now and then: instances, counts, dead letters, leases, purge.</summary>
internal sealed class OracleQueries(OracleConnections connections, OracleSubmissions submissions)
{
    /// <summary>Instances that one call and one transaction purge at most.</summary>
    private const long PurgeBatch = 500;

    /// <summary>Dead letters that are read at least when the first did not suffice.</summary>
    private const long LetterPage = 1_000;

    public Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) =>
        FindAsync(OracleStatement.Find, OracleText.Raw(instanceId), cancellationToken);

    public Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken) =>
        FindAsync(OracleStatement.FindByKey, OracleText.Raw(businessKey), cancellationToken);

    public async Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken)
    {
        var rows = await QueryAsync(
                OracleStatement.Census,
                [],
                static reader => new BackendCensus
                {
                    Instances = Enum.GetValues<InstanceStatus>().ToDictionary(status => status, status => Number(reader, (int)status)),
                    SignalsDue = Number(reader, 5),
                    SignalsLater = Number(reader, 6),
                    DeadLetters = Number(reader, 7),
                    Messages = Number(reader, 8),
                    DeadMessages = Number(reader, 9),
                    Stuck = Number(reader, 10),
                },
                cancellationToken
            )
            .ConfigureAwait(false);
        var open = await QueryAsync(
                OracleStatement.CensusDefinitions,
                [],
                static reader =>
                    (
                        Definition: new DefinitionVersion(OracleText.Key(Raw(reader, 0)), (int)Number(reader, 1)),
                        Open: Number(reader, 2),
                        Parked: Number(reader, 3) is var parked and > 0 ? new ParkedCount(parked, OracleText.Id(Raw(reader, 4))) : null
                    ),
                cancellationToken
            )
            .ConfigureAwait(false);
        return rows[0] with
        {
            OpenByDefinition = open.ToDictionary(static row => row.Definition, static row => row.Open),
            ParkedByDefinition = open.Where(static row => row.Parked is not null)
                .ToDictionary(static row => row.Definition, static row => row.Parked!),
        };
    }

    /// <summary>Filters here what the statement does not, over the oldest letters, and then over more of them.</summary>
    public async Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken)
    {
        var instances = new Dictionary<Guid, InstanceRecord?>();
        for (var limit = (long)query.Limit; ; limit = Math.Max(2 * limit, LetterPage))
        {
            var letters = await OldestLettersAsync(limit, cancellationToken).ConfigureAwait(false);
            var found = new List<DeadLetter>();
            foreach (var letter in letters.Where(query.Matches))
            {
                if (found.Count == query.Limit)
                    return found;
                if (await IsOfWantedInstanceAsync(query, letter, instances, cancellationToken).ConfigureAwait(false))
                    found.Add(letter);
            }

            if (found.Count == query.Limit || letters.Count < limit)
                return found;
        }
    }

    public async Task<int> RequeueAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken)
    {
        var batch = new OracleBatch();
        var places = signalIds.Select(batch.Requeue).ToList();
        await submissions.WriteAsync(batch, cancellationToken).ConfigureAwait(false);
        return places.Count(place => batch[place].Outcome == 0);
    }

    /// <summary>Some instances a call and a transaction, so that a large store needs no large undo and no long call.</summary>
    public async Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken)
    {
        var purged = await PurgeAsync(OracleStatement.PurgeClosed, [OracleTime.Microseconds(age), PurgeBatch], cancellationToken)
            .ConfigureAwait(false);
        await PurgeAsync(OracleStatement.PurgeOrphans, [PurgeBatch], cancellationToken).ConfigureAwait(false);
        return purged;
    }

    public async Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    )
    {
        var batch = new OracleBatch();

        // In the order of their keys, as withdrawals are.
        var places = leases
            .OrderBy(lease => (lease.InstanceId, lease.ActivityId))
            .Select(lease => (Lease: lease, Place: batch.Extend(lease, duration)))
            .ToList();
        await submissions.WriteAsync(batch, cancellationToken).ConfigureAwait(false);
        return [.. places.Where(item => batch[item.Place].Outcome != 0).Select(item => item.Lease)];
    }

    private async Task<int> PurgeAsync(OracleStatement statement, object?[] values, CancellationToken cancellationToken)
    {
        var purged = 0L;
        long last;
        do
        {
            last = await connections
                .UseAsync(
                    async session => (await session.ExecuteAsync(statement, values, cancellationToken).ConfigureAwait(false)).Number(0),
                    cancellationToken
                )
                .ConfigureAwait(false);
            purged += last;
        } while (last > 0);
        return (int)purged;
    }

    private async Task<bool> IsOfWantedInstanceAsync(
        DeadLetterQuery query,
        DeadLetter letter,
        Dictionary<Guid, InstanceRecord?> instances,
        CancellationToken cancellationToken
    )
    {
        if (!query.LooksAtInstances)
            return true;
        var id = letter.Signal.InstanceId;
        if (!instances.TryGetValue(id, out var instance))
            instances[id] = instance = await FindAsync(id, cancellationToken).ConfigureAwait(false);
        return query.Matches(instance);
    }

    private Task<List<DeadLetter>> OldestLettersAsync(long limit, CancellationToken cancellationToken) =>
        QueryAsync(
            OracleStatement.DeadLetters,
            [limit],
            static reader =>
            {
                var (name, payload) = OracleContents.ReadSignal(Raw(reader, 6));
                return new DeadLetter(
                    new Signal
                    {
                        Id = OracleText.Id(Raw(reader, 0)),
                        InstanceId = OracleText.Id(Raw(reader, 1)),
                        Kind = (SignalKind)Number(reader, 3),
                        Attempt = (int)Number(reader, 4),
                        Name = name,
                        Payload = payload,
                    },
                    (DeadLetterReason)Number(reader, 5),
                    OracleText.Key(Raw(reader, 7)),
                    OracleTime.Time(Number(reader, 2))
                );
            },
            cancellationToken
        );

    private async Task<InstanceRecord?> FindAsync(OracleStatement statement, byte[] key, CancellationToken cancellationToken)
    {
        var rows = await QueryAsync(
                statement,
                [key],
                static reader =>
                    OracleContents.ReadInstance(
                        new OracleInstanceRow(
                            OracleText.Id(Raw(reader, 0)),
                            reader.IsDBNull(1) ? null : OracleText.Id(Raw(reader, 1)),
                            reader.IsDBNull(2) ? null : OracleText.Key(Raw(reader, 2)),
                            Number(reader, 3),
                            (InstanceStatus)Number(reader, 4),
                            (WaitKinds)Number(reader, 5),
                            OracleTime.Time(Number(reader, 6)),
                            OracleTime.Time(Number(reader, 7))
                        ),
                        Raw(reader, 8)
                    ),
                cancellationToken
            )
            .ConfigureAwait(false);
        return rows.Count == 0 ? null : rows[0];
    }

    private Task<List<TRow>> QueryAsync<TRow>(
        OracleStatement statement,
        object?[] values,
        Func<DbDataReader, TRow> read,
        CancellationToken cancellationToken
    ) => connections.UseAsync(session => session.QueryAsync(statement, values, read, cancellationToken), cancellationToken);

    /// <summary>A NUMBER comes as decimal, long or short, according to its precision.</summary>
    private static long Number(DbDataReader reader, int column) => Convert.ToInt64(reader.GetValue(column), CultureInfo.InvariantCulture);

    private static byte[] Raw(DbDataReader reader, int column) => reader.IsDBNull(column) ? [] : (byte[])reader.GetValue(column);
}

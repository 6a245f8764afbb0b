namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>What is asked now and then: instances, counts, dead letters.</summary>
internal sealed class PostgreSqlQueries(PostgreSqlConnections connections, PostgreSqlScripts scripts)
{
    public Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) =>
        FindAsync("find", NpgsqlDbType.Uuid, instanceId, scripts.Buckets?.Of(instanceId), cancellationToken);

    public Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken) =>
        FindAsync("find-by-key", NpgsqlDbType.Text, businessKey, scripts.Buckets?.Of(businessKey), cancellationToken);

    public async Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(
        IReadOnlyList<Guid> instanceIds,
        CancellationToken cancellationToken
    ) =>
        await ReadAsync(
                "find-closed",
                p =>
                {
                    p.AddArray(NpgsqlDbType.Uuid, instanceIds.ToArray());
                    if (scripts.Buckets is { } buckets)
                        p.AddArray(NpgsqlDbType.Smallint, instanceIds.Select(buckets.Of).Distinct().ToArray());
                },
                ReadInstance,
                cancellationToken
            )
            .ConfigureAwait(false);

    public async Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken)
    {
        var rows = await ReadAsync(
                scripts.Buckets is not null ? "census-buckets" : "census",
                static _ => { },
                static reader =>
                    WithDefinitions(
                        reader,
                        new BackendCensus
                        {
                            Instances = Enum.GetValues<InstanceStatus>()
                                .ToDictionary(status => status, status => reader.GetInt64((int)status)),
                            SignalsDue = reader.GetInt64(5),
                            SignalsLater = reader.GetInt64(6),
                            DeadLetters = reader.GetInt64(7),
                            Messages = reader.GetInt64(8),
                            Stuck = reader.GetInt64(9),
                        }
                    ),
                cancellationToken
            )
            .ConfigureAwait(false);
        return rows.Count == 1 ? rows[0] : rows.Aggregate(Add);
    }

    public async Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken) =>
        await ReadAsync(
                "dead-letters",
                p =>
                {
                    p.AddValue(NpgsqlDbType.Integer, query.Limit);
                    p.AddNullable(NpgsqlDbType.TimestampTz, query.After?.DeadAt.UtcDateTime);
                    p.AddNullable(NpgsqlDbType.Uuid, query.After?.SignalId);
                    p.AddNullable(NpgsqlDbType.Smallint, (short?)query.Reason);
                    p.AddNullable(NpgsqlDbType.Uuid, query.InstanceId);
                    p.AddNullable(NpgsqlDbType.Text, query.Name);
                    p.AddNullable(NpgsqlDbType.Text, query.Definition);
                    p.AddNullable(NpgsqlDbType.Boolean, query.InstanceIsOpen);
                },
                static reader => new DeadLetter(
                    new Signal
                    {
                        Id = reader.GetGuid(0),
                        InstanceId = reader.GetGuid(1),
                        Attempt = reader.GetInt32(3),
                        Kind = (SignalKind)reader.GetInt16(4),
                        Name = reader.GetString(6),
                        Payload = reader.GetFieldValue<byte[]>(8),
                    },
                    (DeadLetterReason)reader.GetInt16(5),
                    reader.GetString(7),
                    new DateTimeOffset(reader.GetDateTime(2))
                ),
                cancellationToken
            )
            .ConfigureAwait(false);

    public async Task<int> RequeueAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken)
    {
        if (scripts.Buckets is not null)
            return await RequeueInBucketsAsync([.. signalIds], cancellationToken).ConfigureAwait(false);
        var connection = await connections.OpenPlainAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new NpgsqlCommand(scripts["requeue"], connection);
            await using (command.ConfigureAwait(false))
            {
                command.Parameters.AddArray(NpgsqlDbType.Uuid, signalIds.ToArray());
                return await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Signal ids do not lead to a bucket, so all are asked; what was deleted is sent to the bucket of its instance.</summary>
    private Task<int> RequeueInBucketsAsync(Guid[] signalIds, CancellationToken cancellationToken) =>
        connections.SubmitAsync(
            bucket: null,
            async session =>
            {
                var take = new NpgsqlBatchCommand(scripts["requeue"]);
                take.Parameters.AddArray(NpgsqlDbType.Uuid, signalIds);
                var batch = session.FirstBatch(begin: true);
                batch.BatchCommands.Add(take);
                var taken = new List<Signal>();
                var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (reader.ConfigureAwait(false))
                {
                    await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
                    while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                        taken.Add(
                            new Signal
                            {
                                InstanceId = reader.GetGuid(0),
                                Id = reader.GetGuid(1),
                                Kind = (SignalKind)reader.GetInt16(2),
                                Name = reader.GetString(3),
                                Payload = reader.GetFieldValue<byte[]>(4),
                            }
                        );
                }

                taken.Sort(static (a, b) => a.Id.CompareTo(b.Id));
                batch = session.NextBatch();
                session.Statements.Send.AddTo(batch.BatchCommands, taken);
                batch.BatchCommands.Add(session.Statements.Commit);
                await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
                return taken.Count;
            },
            cancellationToken
        );

    private async Task<InstanceRecord?> FindAsync<TValue>(
        string script,
        NpgsqlDbType type,
        TValue value,
        short? bucket,
        CancellationToken cancellationToken
    )
    {
        var rows = await ReadAsync(
                script,
                p =>
                {
                    p.AddValue(type, value);
                    p.AddBucket(bucket);
                },
                ReadInstance,
                cancellationToken,
                bucket
            )
            .ConfigureAwait(false);
        return rows.Count == 0 ? null : rows[0];
    }

    /// <summary>The census of two sets of buckets.</summary>
    private static BackendCensus Add(BackendCensus one, BackendCensus other) =>
        new()
        {
            Instances = Add(one.Instances, other.Instances, static (a, b) => a + b),
            SignalsDue = one.SignalsDue + other.SignalsDue,
            SignalsLater = one.SignalsLater + other.SignalsLater,
            DeadLetters = one.DeadLetters + other.DeadLetters,
            Messages = one.Messages + other.Messages,
            Stuck = one.Stuck + other.Stuck,
            OpenByDefinition = Add(one.OpenByDefinition, other.OpenByDefinition, static (a, b) => a + b),
            ParkedByDefinition = Add(
                one.ParkedByDefinition,
                other.ParkedByDefinition,
                static (a, b) => a with { Instances = a.Instances + b.Instances }
            ),
        };

    private static Dictionary<TKey, TValue> Add<TKey, TValue>(
        IReadOnlyDictionary<TKey, TValue> one,
        IReadOnlyDictionary<TKey, TValue> other,
        Func<TValue, TValue, TValue> add
    )
        where TKey : notnull =>
        one.Concat(other)
            .GroupBy(static entry => entry.Key, static entry => entry.Value)
            .ToDictionary(static values => values.Key, values => values.Aggregate(add));

    /// <summary>The arrays at the end of the census have an element for each definition and version of an open instance.</summary>
    private static BackendCensus WithDefinitions(NpgsqlDataReader reader, BackendCensus census)
    {
        var versions = reader.GetFieldValue<int[]>(11);
        var definitions = reader.GetFieldValue<string[]>(10).Select((name, i) => new DefinitionVersion(name, versions[i])).ToList();
        var open = reader.GetFieldValue<long[]>(12);
        var parked = reader.GetFieldValue<long[]>(13);
        var examples = reader.GetFieldValue<Guid?[]>(14);
        return census with
        {
            OpenByDefinition = definitions.Zip(open).ToDictionary(static row => row.First, static row => row.Second),
            ParkedByDefinition = Enumerable
                .Range(0, parked.Length)
                .Where(i => parked[i] > 0)
                .ToDictionary(i => definitions[i], i => new ParkedCount(parked[i], examples[i]!.Value)),
        };
    }

    private static InstanceRecord ReadInstance(NpgsqlDataReader reader) =>
        InstanceColumns.Read(reader, reader.GetGuid(0), first: 1) with { UpdatedAt = new DateTimeOffset(reader.GetDateTime(13)) };

    /// <summary>Runs a script and reads what it answers.</summary>
    /// <param name="bucket">The one that it asks about; null where there are none, or about all of them.</param>
    public async Task<List<TRow>> ReadAsync<TRow>(
        string script,
        Action<NpgsqlParameterCollection> bind,
        Func<NpgsqlDataReader, TRow> read,
        CancellationToken cancellationToken,
        short? bucket = null
    )
    {
        var connection = await connections.OpenPlainAsync(bucket, cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new NpgsqlCommand(scripts[script], connection);
            await using (command.ConfigureAwait(false))
            {
                bind(command.Parameters);
                var rows = new List<TRow>();
                var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (reader.ConfigureAwait(false))
                {
                    while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                        rows.Add(read(reader));
                }

                return rows;
            }
        }
    }
}

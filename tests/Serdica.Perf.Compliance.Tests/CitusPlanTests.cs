using NpgsqlTypes;

namespace Serdica.Perf.Compliance;

/// <summary>Citus answers each hot statement by one shard.</summary>
public sealed class CitusPlanTests(CitusFixture fixture)
{
    private static readonly InstanceRecord Instance = Seam.Instance("key");
    private static readonly Signal Signal = Seam.Signal(Instance.Id);
    private static readonly Receiver Receiver = new(new SignalSubmission(Signal, dedupKey: "once"), Signal);

    [Fact]
    public async Task Hot_statements_are_one_task()
    {
        var options = await fixture.NewOptionsAsync(Token);
        await using var schema = CitusFixture.SchemaOf(options);
        await using (var backend = schema.Connect())
            await backend.InitializeAsync(Token);
        await using var source = NpgsqlDataSource.Create(options.ConnectionString);
        await using var connection = await source.OpenConnectionAsync(Token);
        var scripts = new PostgreSqlScripts(options.Schema, new Buckets(options.Buckets));

        foreach (var hot in HotStatements(scripts))
        {
            await using var explain = new NpgsqlCommand($"explain (costs off) {hot.CommandText}", connection);
            explain.Parameters.AddRange(hot.Parameters.Select(static parameter => parameter.Clone()).ToArray());
            var plan = new StringBuilder();
            await using (var reader = await explain.ExecuteReaderAsync(Token))
            {
                while (await reader.ReadAsync(Token))
                    plan.AppendLine(reader.GetString(0));
            }

            Assert.True(
                plan.ToString().Contains("Task Count: 1\n") && !plan.ToString().Contains("pull to coordinator"),
                $"{hot.CommandText}\n\n{plan}"
            );
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(8)]
    [InlineData(16)]
    [InlineData(32)]
    public async Task Each_bucket_is_one_shard(int count)
    {
        var options = await fixture.NewOptionsAsync(Token) with { Buckets = count };
        await using var schema = CitusFixture.SchemaOf(options);
        await using (var backend = schema.Connect())
            await backend.InitializeAsync(Token);
        await using var source = NpgsqlDataSource.Create(options.ConnectionString);

        await using var shards = source.CreateCommand(
            $"""
            select count(distinct get_shard_id_for_distribution_column('{options.Schema}.instance', b.bucket))::integer,
                (select count(*)::integer from pg_dist_shard where logicalrelid = '{options.Schema}.instance'::regclass)
            from unnest(array[{string.Join(',', new Buckets(count).All)}]::smallint[]) as b (bucket)
            """
        );
        await using var reader = await shards.ExecuteReaderAsync(Token);
        Assert.True(await reader.ReadAsync(Token));
        Assert.Equal((count, count), (reader.GetInt32(0), reader.GetInt32(1)));
    }

    private static IEnumerable<NpgsqlBatchCommand> HotStatements(PostgreSqlScripts scripts)
    {
        var statements = new PostgreSqlStatements(scripts, pins: null);
        var bucket = scripts.Buckets!.Of(Instance.Id);
        var held = new NpgsqlBatch();
        statements.AddHoldTo(held.BatchCommands, [Instance.Id], 1);
        var child = Seam.ChildOf(Instance);
        return
        [
            statements.Claim(DateTime.UtcNow, 1, new ClaimRequest(1), bucket),
            statements.Claim(DateTime.UtcNow, 1, new ClaimRequest(1) { SkipActivities = true }, bucket),
            statements.Receive(DateTime.UtcNow, 1, bucket),
            statements.Held([Signal with { Due = Due.AtTime(DateTimeOffset.UtcNow) }]),
            .. held.BatchCommands.Cast<NpgsqlBatchCommand>(),
            statements.Start.Bind([Instance]),
            statements.StartKeyed.Bind([Instance]),
            statements.StartChildren.Bind([new StartedChild(child, Instance.Id)]),
            statements.Update.Bind([new HeldUpdate(new Decision { Instance = Instance }, "(0,1)")]),
            statements.Send.Bind([Signal]),
            statements.Publish.Bind([Receiver]),
            statements.AcceptKeys.Bind([Receiver]),
            statements.Withdraw.Bind([new WithdrawnSignal(Instance.Id, Signal.Id)]),
            statements.Bury.Bind([new DeadLetter(Signal, DeadLetterReason.BufferFull, "Full.")]),
            statements.CopyKeys.Bind([new Continuation(Instance.Id, child.Id)]),
            statements.SendMessages.Bind([new Message { Id = Signal.Id, Payload = [] }]),
            statements.Existing.Bind(["key"]),
            statements.Receivers.Bind([Receiver]),
            With(scripts["find"], p => p.AddValue(NpgsqlDbType.Uuid, Instance.Id)),
            With(scripts["find-by-key"], static p => p.AddValue(NpgsqlDbType.Text, "key")),
            With(scripts["extend-leases"], p =>
            {
                p.AddArray(NpgsqlDbType.Uuid, [Instance.Id]);
                p.AddArray(NpgsqlDbType.Uuid, [Signal.Id]);
                p.AddArray(NpgsqlDbType.Integer, [1]);
                p.AddValue(NpgsqlDbType.Interval, FromSeconds(1));
            }),
            With(scripts["purge"], static p =>
            {
                p.AddValue(NpgsqlDbType.Interval, TimeSpan.Zero);
                p.AddValue(NpgsqlDbType.Uuid, Guid.Empty);
                p.AddValue(NpgsqlDbType.Integer, 1);
            }),
            With(scripts["purge-orphans"], static p =>
            {
                p.AddValue(NpgsqlDbType.Uuid, Guid.Empty);
                p.AddValue(NpgsqlDbType.Uuid, Guid.AllBitsSet);
            }),
        ];

        NpgsqlBatchCommand With(string sql, Action<NpgsqlParameterCollection> bind)
        {
            var command = new NpgsqlBatchCommand(sql);
            bind(command.Parameters);
            command.Parameters.AddBucket(bucket);
            return command;
        }
    }
}

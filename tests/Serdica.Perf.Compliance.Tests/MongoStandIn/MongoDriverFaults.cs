namespace Serdica.Perf.Compliance;

/// <summary>
/// Conflicts and lost answers at each command of a start, a publish, a turn and a direct signal: each still happens once.
/// </summary>
public sealed class MongoDriverFaults(MongoDriverFixture fixture)
{
    private const int MaxTries = 10;

    public static TheoryData<string, string> Faults
    {
        get
        {
            var data = new TheoryData<string, string>();
            foreach (var verb in new[] { "find", "aggregate", "insert", "bulkWrite", "commitTransaction" })
            {
                foreach (var fault in new[] { "WriteConflict", "TransientTransactionError", "lost answer" })
                    data.Add(verb, fault);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Faults))]
    public async Task Each_operation_happens_once(string verb, string fault)
    {
        var (server, connectionString) = await fixture.ServeAsync(Token);
        await using var _ = server;
        var database = $"faults_{Guid.NewGuid():n}";
        await using var backend = new MongoDbWorkflowBackend(new MongoDriverDatabase(connectionString, database));
        await backend.InitializeAsync(Token);
        var instances = Range(0, 2).Select(i => Seam.Instance(businessKey: $"order-{i}")).ToList();
        var signals = instances.ConvertAll(instance => new SignalSubmission(Seam.Signal(instance.Id), dedupKey: "once"));

        Fail();
        await AgainAsync(() => backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance))], Token));
        Fail();
        await AgainAsync(() => backend.SubmitAsync([.. signals], Token));
        Fail();
        var handled = 0;
        for (var tries = 0; handled < instances.Count && tries < MaxTries; tries++)
            await AgainAsync(async () => handled += (await backend.ProcessAsync(10, Seam.Count, Token)).Signals);

        Fail();
        var direct = instances.ConvertAll(instance => new SignalSubmission(Seam.Signal(instance.Id), dedupKey: "directly"));
        await AgainAsync(() => backend.SubmitDirectAsync([.. direct]));

        server.Commands.Faults.Clear();
        foreach (var instance in instances)
            Assert.Equal(2, (await backend.FindAsync(instance.Id, Token))!.Version);
        Assert.Empty(await backend.TakeAsync());
        await backend.DropDatabaseAsync(Token);

        void Fail() => server.Commands.Faults.Enqueue(new(verb, ReplyOf(fault)));
    }

    private static BsonDocument? ReplyOf(string fault) =>
        fault switch
        {
            "WriteConflict" => StandInReplies.Error(new(DocumentErrors.WriteConflict, "busy", isTransient: true), inTransaction: true),
            "TransientTransactionError" => StandInReplies.Error(
                new(DocumentErrors.LockTimeout, "too many writers", isTransient: true),
                inTransaction: true,
                "TransientTransactionError"
            ),
            _ => null,
        };

    /// <summary>As a caller does: what the backend calls transient is tried again, and nothing else.</summary>
    private static async Task AgainAsync(Func<Task> run)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                await run();
                return;
            }
            catch (WorkflowBackendException e) when (e.IsTransient && tries < MaxTries)
            {
                // Its outcome may be unknown: the repetition shows it.
            }
        }
    }
}

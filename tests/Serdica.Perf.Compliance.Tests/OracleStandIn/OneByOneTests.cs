namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>What a transaction for each signal and message promises beyond the suite, with the shipped package on IvorySQL.</summary>
public sealed class OneByOneTests(IvorySqlFixture server) : WorkflowBackendCompliance(new StandInFixture(server, isOneByOne: true))
{
    private StandInStore Store => (StandInStore)TestSchema;

    private IMessageQueue Queue => (IMessageQueue)Backend;

    [Fact]
    public async Task Receiver_that_waits_gets_what_is_sent_meanwhile_with_the_same_call()
    {
        var calls = 0;
        Store.Factory.Before = (name, values) =>
        {
            if (name == "receive_batch" && Interlocked.Increment(ref calls) == 1)
                Assert.Equal<object?>([1, 2], values);
            return Task.CompletedTask;
        };
        var message = new Message { Id = Guid.CreateVersion7(), Payload = [7] };
        Message? received = null;

        var receiving = Queue.ReceiveAsync(1, messages => received = messages.Messages[0], Token);
        await Eventually(IsReceiverWaitingAsync, "the receiver waits in the database");
        await ((IMessageQueue)Connect()).SendAsync([message], Token);
        var outcome = await receiving.InTime();

        Assert.Equal((1, false, 1), (outcome.Signals, outcome.Waited, calls));
        Assert.Equal((message.Id, 7), (received!.Id, received.Payload[0]));
    }

    [Fact]
    public async Task Wait_in_vain_says_so_and_does_not_go_past_a_delayed_message()
    {
        var vain = await Queue.ReceiveAsync(1, _ => { }, Token);
        await Queue.SendAsync([new Message { Id = Guid.CreateVersion7(), Due = Due.After(FromMilliseconds(900)) }], Token);
        var delayed = await Queue.ReceiveAsync(1, _ => { }, Token);

        Assert.Equal((0, true, null), (vain.Signals, vain.Waited, vain.NextDue));

        // On a slow machine it is due already.
        Assert.False(delayed.Waited);
        Assert.True(delayed.Signals == 1 || delayed.NextDue < FromMilliseconds(900));
    }

    [Fact]
    public async Task Claim_takes_one_instance_with_all_its_signals_and_tells_whether_it_has_left_others()
    {
        var instances = new[] { Seam.Instance(), Seam.Instance(), Seam.Instance() };
        await Backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance))], Token);
        foreach (var index in (int[])[0, 1, 0, 2, 2])
            await Backend.SubmitAsync(Seam.Publish(instances[index].Id));

        Assert.Equal((2, TimeSpan.Zero), await TakeAsync());
        Assert.Equal((1, TimeSpan.Zero), await TakeAsync());
        Assert.Equal((2, null), await TakeAsync());

        async Task<(int, TimeSpan?)> TakeAsync()
        {
            var outcome = await Backend.ProcessAsync(
                new ClaimRequest(100) { OneInstance = true },
                claimed => Task.FromResult(Seam.Count(claimed)),
                Token
            );
            return (outcome.Signals, outcome.NextDue);
        }
    }

    [Fact]
    public async Task Round_trip_is_three_writes_and_one_claim()
    {
        const int Trips = 5;
        var calls = new ConcurrentQueue<string>();
        Store.Factory.Before = (name, values) =>
        {
            calls.Enqueue(name == "claim_batch" ? $"claim {values[3]}" : name);
            return Task.CompletedTask;
        };
        var options = new WorkflowOptions { Workers = 1, MaxPollInterval = FromHours(1) };
        var host = await HostAsync(options, Definitions.Approval);
        await Eventually(() => Task.FromResult(host.Counters.EmptyClaims == 1), "the worker has looked");
        foreach (var _ in Range(0, Trips))
        {
            var started = await host.Client.StartAsync(Definitions.Approval);
            await host.Client.SendAsync(started.Id, "approve", "yes");
            await CloseOf(host.Client, started.Id);
        }

        await CountedAsync(host);

        Assert.Equal((1 + Trips, 3 * Trips), (calls.Count(call => call == "claim 1"), calls.Count(call => call == "write_batch")));
        Assert.Equal((Trips, 1), (host.Counters.Batches, host.Counters.EmptyClaims));
    }

    private async Task<bool> IsReceiverWaitingAsync()
    {
        await using var connection = (StandInConnection)Store.Factory.CreateConnection();
        await connection.OpenAsync(Token);
        await using var command = new NpgsqlCommand(
            "select count(*)::pg_catalog.int8 from pg_stat_activity where wait_event = 'PgSleep' and strpos(query, $1) > 0",
            connection.Inner
        );
        command.Parameters.AddWithValue($"{Store.Factory.Prefix}_call_receive_batch(");
        return (long)(await command.ExecuteScalarAsync(Token))! > 0;
    }
}

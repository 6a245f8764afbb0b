namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>Sessions that end in the middle, and workers that race for what was rolled back.</summary>
public sealed class StandInCrashTests(IvorySqlFixture server) : WorkflowBackendCompliance(new StandInFixture(server))
{
    private StandInFactory Factory => ((StandInStore)TestSchema).Factory;

    [Fact]
    public async Task Session_that_the_server_ends_during_a_decision_leaves_the_signals_and_their_messages_as_they_were()
    {
        var instance = await Backend.StartAsync("go");
        Factory.Before = async (name, _) =>
        {
            if (name != "write_batch")
                return;
            Factory.Before = null;
            Assert.Equal(1, await Factory.EndClaimsAsync(Token));
        };

        var error = await BackendFails(() => Backend.TakeAsync());

        Assert.Equal((true, BackendFailure.ConnectionLost), (error.IsTransient, error.Failure));
        Assert.Equal(0, (await RecordOf(instance.Id)).Version);
        Assert.Equal(1, await Factory.CountAsync("signal", Token));
        Assert.Equal(["go"], await Backend.TakeAsync());
        Assert.Equal(0, await Factory.CountAsync("signal", Token));
    }

    [Fact]
    public async Task Racing_workers_take_each_signal_from_the_exception_queue_once_though_some_of_their_claims_are_rolled_back()
    {
        var instances = Range(0, 5).Select(_ => Seam.Instance()).ToList();
        await Backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance))], Token);
        await Backend.SubmitAsync([.. Range(0, 40).Select(i => Seam.Publish(instances[i % 5].Id))], Token);
        for (var i = 0; i <= Factory.MaxRetries; i++)
            await Assert.ThrowsAsync<InvalidTimeZoneException>(() => Backend.ProcessAsync(100, Die, Token));
        Assert.Equal(40, await Factory.CountAsync("exception", Token));
        var (claims, handled, limit) = (0, 0, Environment.TickCount64 + 60_000);

        await Task.WhenAll(Range(0, 6).Select(_ => Task.Run(() => WorkAsync(Connect()), Token)));

        Assert.Equal(40, handled);
        foreach (var instance in instances)
            Assert.Equal(8, (await RecordOf(instance.Id)).Version);
        Assert.Equal((0, 0), (await Factory.CountAsync("exception", Token), await Factory.CountAsync("signal", Token)));

        async Task WorkAsync(IWorkflowBackend backend)
        {
            while ((await Census()).SignalsDue > 0 && Environment.TickCount64 < limit)
            {
                try
                {
                    var dies = Interlocked.Increment(ref claims) % 3 == 1;
                    Interlocked.Add(ref handled, (await backend.ProcessAsync(3, dies ? Die : Seam.Count, Token)).Signals);
                }
                catch (Exception e) when (e is InvalidTimeZoneException or WorkflowBackendException { IsTransient: true })
                {
                    // The stand-in counts tries after a rollback, and nobody gets the message in that moment.
                }
            }
        }

        static IReadOnlyList<Decision> Die(ClaimedBatch batch) => throw new InvalidTimeZoneException("Died after the claim.");
    }
}

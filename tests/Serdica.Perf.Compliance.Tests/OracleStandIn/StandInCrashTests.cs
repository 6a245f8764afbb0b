namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>Sessions that end in the middle, and workers that race for what was rolled back.</summary>
public sealed class StandInCrashTests(IvorySqlFixture server) : WorkflowBackendCompliance(new StandInFixture(server))
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private StandInFactory Factory => ((StandInStore)TestSchema).Factory;

    [Fact]
    public async Task Session_that_the_server_ends_during_a_decision_leaves_the_signals_and_their_messages_as_they_were()
    {
        var instance = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id));
        EndSessionOfNextWrite();

        var error = await Assert.ThrowsAsync<WorkflowBackendException>(() => Backend.TakeAsync());

        Assert.Equal((true, BackendFailure.ConnectionLost), (error.IsTransient, error.Failure));
        Assert.Equal(0, (await RecordOf(instance.Id)).Version);
        Assert.Equal(1, await Factory.CountAsync("signal", Token));
        Assert.Equal(["go"], await Backend.TakeAsync());
        Assert.Equal(0, await Factory.CountAsync("signal", Token));
    }

    [Fact]
    public async Task Host_goes_on_after_the_server_has_ended_the_session_of_a_claim()
    {
        var host = await HostAsync(Quick with { Workers = 1 }, Definitions.Appending);
        var started = await host.Client.StartAsync(Definitions.Appending, new Ledger(), cancellationToken: Token);
        EndSessionOfNextWrite();

        for (var i = 0; i < 10; i++)
            await host.Client.SignalAsync(started.Id, "append", i, cancellationToken: Token);
        await host.Client.SignalAsync(started.Id, "append", Definitions.Last, cancellationToken: Token);

        Assert.Equal(11, (await CloseOf(host.Client, started.Id)).Version);
        Assert.Equal(Enumerable.Range(0, 10), (await host.Client.GetAsync<Ledger>(started.Id, Token))!.State.Entries);
        await Eventually(() => Task.FromResult(host.Counters.BackendFailures == 1), "the worker whose session ended has seen it");
        await Quiescence();
    }

    [Fact]
    public async Task Racing_workers_take_each_signal_from_the_exception_queue_once_though_some_of_their_claims_are_rolled_back()
    {
        var instances = Enumerable.Range(0, 5).Select(_ => Seam.Instance()).ToList();
        await Backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance))], Token);
        await Backend.SubmitAsync([.. Enumerable.Range(0, 40).Select(i => Seam.Publish(instances[i % 5].Id))], Token);
        for (var i = 0; i <= Factory.MaxRetries; i++)
            await Assert.ThrowsAsync<InvalidTimeZoneException>(() => DieAsync(Backend));
        Assert.Equal(40, await Factory.CountAsync("exception", Token));
        var (claims, handled) = (0, 0);
        var began = TimeProvider.System.GetTimestamp();

        await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => Task.Run(() => WorkAsync(Connect()), Token)));

        Assert.Equal(40, handled);
        foreach (var instance in instances)
            Assert.Equal(8, (await RecordOf(instance.Id)).Version);
        Assert.Equal((0, 0), (await Factory.CountAsync("exception", Token), await Factory.CountAsync("signal", Token)));

        Task DieAsync(IWorkflowBackend backend) =>
            backend.ProcessAsync(100, _ => throw new InvalidTimeZoneException("Died after the claim."), Token);

        async Task WorkAsync(IWorkflowBackend backend)
        {
            while ((await Backend.TakeCensusAsync(Token)).SignalsDue > 0 && TimeProvider.System.GetElapsedTime(began) < Patience)
            {
                if (Interlocked.Increment(ref claims) % 3 == 1)
                {
                    // Nobody dies of nothing: all that is due may be in other hands.
                    await Record.ExceptionAsync(() => DieAsync(backend));
                    continue;
                }

                try
                {
                    Interlocked.Add(ref handled, (await backend.ProcessAsync(3, Seam.Count, Token)).Signals);
                }
                catch (WorkflowBackendException e) when (e.IsTransient)
                {
                    // The stand-in counts tries after a rollback, and nobody gets the message in that moment.
                }
            }
        }
    }

    /// <summary>The next claim that has something to write finds its session ended, once.</summary>
    private void EndSessionOfNextWrite()
    {
        var ended = 0;
        Factory.Before = async (name, _) =>
        {
            if (name == "write_batch" && Interlocked.Exchange(ref ended, 1) == 0 && await Factory.EndClaimsAsync(Token) == 0)
                Volatile.Write(ref ended, 0);
        };
    }
}

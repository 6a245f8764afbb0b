using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>What the Oracle backend promises beyond the suite, over the stand-in: calls, large contents, the exception queue.</summary>
public sealed class StandInTests(PostgreSqlFixture server) : WorkflowBackendCompliance(new StandInFixture(server))
{
    private StandInFactory Factory => ((StandInStore)TestSchema).Factory;

    [Fact]
    public async Task Start_and_publish_are_one_round_trip_and_a_turn_is_three()
    {
        var instance = Seam.Instance();

        Assert.Equal(1, await RoundTripsOfAsync(() => Backend.SubmitAsync(Seam.Start(instance))));
        Assert.Equal(1, await RoundTripsOfAsync(() => Backend.SubmitAsync(Seam.Publish(instance.Id), Seam.Publish(instance.Id))));
        Assert.Equal(3, await RoundTripsOfAsync(() => Backend.TakeAsync()));
        Assert.Equal(2, await RoundTripsOfAsync(() => Backend.TakeAsync()));
        Assert.Equal(2, (await RecordOf(instance.Id)).Version);
    }

    [Fact]
    public async Task Batch_beyond_one_document_is_still_one_commit()
    {
        var instances = Enumerable.Range(0, 300).Select(_ => Seam.Instance()).ToList();

        var calls = await RoundTripsOfAsync(() => Backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance))], Token));
        Assert.InRange(calls, 3, 10);
        Assert.Equal(300, (await Backend.TakeCensusAsync(Token)).Total);

        var known = instances[0];
        await Assert.ThrowsAsync<WorkflowBackendException>(() => Backend.SubmitAsync(
            [.. Enumerable.Range(0, 300).Select(_ => Seam.Start(Seam.Instance())), Seam.Start(known)], Token));
        Assert.Equal(300, (await Backend.TakeCensusAsync(Token)).Total);
    }

    [Theory]
    [InlineData(15_900)]
    [InlineData(16_100)]
    [InlineData(33_000)]
    [InlineData(150_000)]
    public async Task Contents_of_any_size_go_through_a_turn(int size)
    {
        var state = Json('s', size);
        var payload = Json('p', size);
        var instance = Seam.Instance("large") with { State = state };
        await Backend.SubmitAsync(Seam.Start(instance));
        await Backend.SubmitAsync(new SignalSubmission(Seam.Signal(Guid.Empty) with { Payload = payload }, businessKey: "large"));

        ClaimedInstance? claimed = null;
        await Backend.ProcessAsync(
            10,
            batch =>
            {
                claimed = batch.Instances[0];
                return [new Decision
                {
                    Instance = claimed.Instance with { Version = 1, State = payload, Progress = state },
                    ExpectedVersion = 0,
                    DeadLetters = [new DeadLetter(claimed.Signals[0], DeadLetterReason.BufferFull, new string('d', 4_000))],
                }];
            },
            Token);

        Assert.Equal(state, claimed!.Instance.State);
        Assert.Equal(payload, Assert.Single(claimed.Signals).Payload);
        var record = await RecordOf(instance.Id);
        Assert.Equal(payload, record.State);
        Assert.Equal(state, record.Progress);
        var letter = Assert.Single(await Backend.ListDeadLettersAsync(10, Token));
        Assert.Equal(payload, letter.Signal.Payload);
        Assert.Equal(4_000, letter.Detail.Length);

        Assert.Equal(1, await Backend.RequeueDeadLettersAsync([letter.Signal.Id], Token));
        byte[]? again = null;
        await Backend.ProcessAsync(
            10,
            batch =>
            {
                again = batch.Instances[0].Signals[0].Payload;
                return Seam.Count(batch);
            },
            Token);
        Assert.Equal(payload, again);
    }

    [Fact]
    public async Task Signal_that_was_rolled_back_too_often_is_taken_from_the_exception_queue()
    {
        var instance = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id));

        for (var i = 0; i <= Factory.MaxRetries + 1; i++)
        {
            await Assert.ThrowsAsync<InvalidTimeZoneException>(
                () => Backend.ProcessAsync(10, _ => throw new InvalidTimeZoneException("No."), Token));
        }

        Assert.Equal(1, await Factory.CountAsync("exception", Token));
        Assert.Equal(["go"], await Backend.TakeAsync());
        Assert.Equal(0, await Factory.CountAsync("exception", Token));
    }

    [Fact]
    public async Task Signal_whose_message_is_gone_is_told_and_stops_nobody_else()
    {
        var lost = Seam.Instance();
        var other = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(lost), Seam.Start(other), Seam.Publish(lost.Id, "lost"));
        await Factory.DeleteMessagesAsync(Token);
        await Backend.SubmitAsync(Seam.Publish(other.Id, "fine"));

        Assert.Equal(["fine"], await Backend.TakeAsync());
        var error = await Assert.ThrowsAsync<WorkflowBackendException>(() => Backend.TakeAsync());

        Assert.Contains("Signals without a message", error.Message, StringComparison.Ordinal);
        Assert.Equal(1, (await Backend.TakeCensusAsync(Token)).SignalsDue);
    }

    [Fact]
    public async Task Signals_to_an_instance_that_was_purged_meanwhile_are_dropped_with_their_messages()
    {
        var purged = Seam.Instance();
        var other = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(purged), Seam.Start(other), Seam.Publish(purged.Id), Seam.Publish(other.Id, "fine"));
        await Backend.SubmitAsync(Seam.Publish(purged.Id, due: Due.After(TimeSpan.FromHours(1))));
        await Factory.DeleteInstanceAsync(purged.Id, Token);

        Assert.Equal(["fine"], await Backend.TakeAsync());

        var census = await Backend.TakeCensusAsync(Token);
        Assert.Equal((0, 0), (census.SignalsDue, census.SignalsLater));
        Assert.Equal(0, await Factory.CountAsync("signal", Token));
    }

    [Fact]
    public async Task Withdrawn_timers_leave_nothing_in_the_queue()
    {
        var instance = Seam.Instance();
        var timer = Seam.Signal(instance.Id, "timer", Due.After(TimeSpan.FromHours(1)));
        await Backend.SubmitAsync(Seam.Start(instance, timer), Seam.Publish(instance.Id));
        Assert.Equal(2, await Factory.CountAsync("signal", Token));

        await Backend.ProcessAsync(
            10,
            batch =>
            {
                var decision = Seam.Count(batch.Instances[0]);
                decision.Withdrawn = [timer.Id];
                return [decision];
            },
            Token);

        Assert.Equal(0, await Factory.CountAsync("signal", Token));
    }

    [Fact]
    public async Task Message_over_the_limit_is_refused_with_its_size()
    {
        var queue = (IMessageQueue)Backend;

        var error = await Assert.ThrowsAsync<ArgumentException>(
            () => queue.SendAsync([new Message { Id = Guid.CreateVersion7(), Payload = new byte[8_000] }], Token));

        Assert.Contains("8000 bytes", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Statistics_fall_back_to_the_instance_and_then_to_a_sentence()
    {
        var options = ((StandInStore)TestSchema).Options();
        await using var statistics = new OracleStatistics(options);

        Factory.Views = StandInViews.Instance;
        var read = await statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token);
        Factory.Views = StandInViews.None;
        var blind = await statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token);

        Assert.Equal((7d, 4096d, "bytes"), (read.Values["commits"].Value, read.Values["walBytes"].Value, read.Values["walBytes"].Unit));
        Assert.Equal((2.5, "ms"), (read.Values["databaseCpu"].Value, read.Values["databaseCpu"].Unit));
        Assert.Contains("no statistic", read.Values["rollbacks"].Missing, StringComparison.Ordinal);
        Assert.Equal(new WaitTime("Commit", "log file sync", 1_500, 3), Assert.Single(read.Waits));
        Assert.Equal(0, read.Values["backlogReady"].Value);
        Assert.All(new[] { "commits", "databaseCpu", "sessions" }, name =>
        {
            Assert.Null(blind.Values[name].Value);
            Assert.Contains("GRANT SELECT_CATALOG_ROLE", blind.Values[name].Missing, StringComparison.Ordinal);
        });
        Assert.Contains("GRANT", blind.WaitsMissing, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Inspection_logs_in_makes_a_store_uses_it_and_drops_it()
    {
        var store = (StandInStore)TestSchema;
        Factory.Views = StandInViews.None;

        var findings = await OracleInspection.InspectAsync(store.Options() with { Factory = Factory.ForAnyPrefix() }, Token);

        Assert.DoesNotContain(findings, finding => finding.Problem);
        Assert.Contains(findings, finding => finding.Check == "Signal");
        Assert.Contains(findings, finding => finding.Check == "Message");
        Assert.Contains("SELECT_CATALOG_ROLE", findings.Single(finding => finding.Check == "Statistics").Detail, StringComparison.Ordinal);
        var views = findings.Single(finding => finding.Check == "Views").Detail;
        Assert.All(
            (string[])["statistics-counters", "statistics-times", "statistics-waits", "statistics-sessions", "statistics-processes"],
            script => Assert.Contains(script, views, StringComparison.Ordinal));
    }

    private async Task<int> RoundTripsOfAsync(Func<Task> run)
    {
        var before = Factory.RoundTrips;
        await run();
        return Factory.RoundTrips - before;
    }

    private static byte[] Json(char letter, int size) => System.Text.Encoding.ASCII.GetBytes($"\"{new string(letter, size)}\"");
}

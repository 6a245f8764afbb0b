namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// What the package is asked, and what is made of its answers: on the driver that is as strict as Oracle's, with answers by hand.
/// </summary>
public sealed class OracleItemTests
{
    private const long Now = 1_700_000_000_000_000;

    private static readonly byte[] Nothing = "[]"u8.ToArray();

    private readonly StandInStore _store = new(null, "SERDICA_WF", null);
    private readonly List<(string Call, IReadOnlyList<object?> Values)> _calls = [];
    private string _results = "[]";

    public OracleItemTests()
    {
        Factory.Before = (call, values) =>
        {
            _calls.Add((call, values));
            return Task.CompletedTask;
        };
        Factory.Answer = (_, _) => [Now, 0L, Encoding.ASCII.GetBytes(_results)];
    }

    private StandInFactory Factory => _store.Factory;

    /// <summary>The items that were sent, without the ids' zeros and the sizes of contents.</summary>
    private IEnumerable<string> Items =>
        from call in _calls
        where call.Call == "write_batch"
        from item in JsonDocument.Parse((byte[])call.Values[0]!).RootElement.EnumerateArray()
        select Regex.Replace(item.GetRawText(), "0{30}|,\"(content|detail)\":[0-9]+", "");

    [Fact]
    public async Task Turn_is_read_as_it_was_claimed_and_written_as_it_was_decided()
    {
        var claimed = Instance(1) with { State = "1"u8.ToArray() };
        byte[][] contents = [OracleContents.Of(claimed), OracleContents.Of(Signal(2)), OracleContents.Of(Signal(3))];
        var json = Invariant(
            $$"""
            [{"id":"{{Hex(1)}}","parent":"{{Hex(9)}}","key":"6162","version":5,"status":1,"waits":37,"created":1000000,"updated":2000000,
            "content":{{contents[0].Length}},"signals":[
            {"id":"{{Hex(2)}}","due":3000000,"kind":2,"attempt":4,"content":{{contents[1].Length}}},
            {"id":"{{Hex(3)}}","due":4000000,"kind":1,"attempt":0,"content":{{contents[2].Length}}}]}]
            """
        );
        Factory.Answer = (call, _) =>
            call == "claim_batch"
                ? [Now, 1_500_000L, 0L, Encoding.ASCII.GetBytes(json), contents.SelectMany(content => content).ToArray()]
                : [Now, 0L, Nothing];
        ClaimedBatch? batch = null;

        var outcome = await _store.Connect().ProcessAsync(
            new ClaimRequest(7) { MaxBytes = 8, SkipActivities = true },
            claim =>
            {
                batch = claim;
                var read = claim.Instances[0].Instance;
                return
                [
                    new Decision
                    {
                        Instance = read with { Version = 7, Status = InstanceStatus.Faulted, Progress = "{}"u8.ToArray() },
                        ExpectedVersion = 5,
                        Started = [Instance(16) with { ParentId = Id(1), Waits = WaitKinds.Timer }],
                        Continued = [new Continuation(Id(1), Id(18)), new Continuation(Id(1), Id(17))],
                        Withdrawn = [Id(20), Id(19)],
                        Sent = [Signal(21) with { Due = Due.After(FromMilliseconds(1500)), Kind = SignalKind.Timer, Attempt = 3 }],
                        DeadLetters = [new DeadLetter(Signal(22) with { Attempt = 2 }, DeadLetterReason.BufferFull, "full")],
                    },
                    new Decision { Instance = read, ExpectedVersion = 4 },
                ];
            },
            Token
        );

        Assert.Equal((2, FromMilliseconds(1500)), (outcome.Signals, outcome.NextDue));
        Assert.Equal([7L, 8L, 1L, 0L], _calls[0].Values.Select(value => Convert.ToInt64(value, null)));
        var (instance, signals) = (batch!.Instances[0].Instance, batch.Instances[0].Signals);
        Assert.Equal(
            (Id(1), Id(9), "ab", 5, InstanceStatus.Waiting, WaitKinds.External | WaitKinds.Activity, Second(1), Second(2)),
            (
                instance.Id,
                instance.ParentId!.Value,
                instance.BusinessKey!,
                instance.Version,
                instance.Status,
                instance.Waits,
                instance.CreatedAt,
                instance.UpdatedAt
            )
        );
        Assert.Equal(Second(Now / 1_000_000), batch.Now);
        Assert.Equal(
            [
                (Id(2), Id(1), Second(3), SignalKind.Activity, 4, "s2"),
                (Id(3), Id(1), Second(4), SignalKind.Timer, 0, "s3"),
            ],
            signals.Select(signal => (signal.Id, signal.InstanceId, signal.Due.At!.Value, signal.Kind, signal.Attempt, signal.Name))
        );
        Assert.Equal(
            [
                """{"op":"update","id":"01","expected":5,"definitionVersion":6,"version":7,"status":3,"waits":37}""",
                """{"op":"update","id":"01","expected":4,"definitionVersion":6,"version":5,"status":1,"waits":5}""",
                """{"op":"child","id":"10","parent":"01","starter":"01","definition":"64","definitionVersion":6"""
                    + ""","version":0,"status":1,"waits":2}""",
                """{"op":"copy","instance":"11","from":"01"}""",
                """{"op":"copy","instance":"12","from":"01"}""",
                """{"op":"withdraw","instance":"01","id":"13"}""",
                """{"op":"withdraw","instance":"01","id":"14"}""",
                """{"op":"send","instance":"01","id":"15","kind":1,"attempt":3,"delay":1500000}""",
                """{"op":"dead","instance":"01","id":"16","kind":0,"attempt":2,"reason":2}""",
            ],
            Items
        );
    }

    [Fact]
    public async Task Submission_brings_starts_and_signals_in_the_order_of_their_keys_and_each_gets_its_own_outcome()
    {
        var starts = new[] { ("b", 1), ("a", 2), ("c", 3) }
            .Select(start => new StartSubmission(new Decision { Instance = Instance(start.Item2) with { BusinessKey = start.Item1 } }))
            .ToList();
        starts[1].Decision.Sent = [Signal(4)];
        SignalSubmission[] signals =
        [
            new(Signal(5), dedupKey: "e"),
            new(Signal(6) with { InstanceId = Guid.Empty }, "ab", "d"),
            new(Signal(7) with { Due = Due.AtTime(Second(8)) }),
            new(Signal(8) with { Due = Due.After(FromMicroseconds(1)) }),
        ];
        _results = $$"""
            [{"n":0,"outcome":1,"id":"{{Hex(9)}}","definition":"6162"},{"n":2,"outcome":1,"id":"{{Hex(3)}}","definition":"64"},
            {"n":5,"outcome":1},{"n":6,"outcome":2},{"n":7,"outcome":3}]
            """;

        await _store.Connect().SubmitAsync([.. starts, .. signals]);

        Assert.Equal(
            [
                """{"op":"start","id":"02","key":"61","definition":"64","definitionVersion":6,"version":0,"status":1,"waits":1}""",
                """{"op":"start","id":"01","key":"62","definition":"64","definitionVersion":6,"version":0,"status":1,"waits":1}""",
                """{"op":"start","id":"03","key":"63","definition":"64","definitionVersion":6,"version":0,"status":1,"waits":1}""",
                """{"op":"send","instance":"01","id":"04","kind":0,"attempt":0}""",
                """{"op":"publish","instance":"01","id":"07","kind":0,"attempt":0,"due":8000000}""",
                """{"op":"publish","instance":"01","id":"08","kind":0,"attempt":0,"delay":1}""",
                """{"op":"publish","key":"6162","dedup":"64","id":"06","kind":0,"attempt":0}""",
                """{"op":"publish","instance":"01","dedup":"65","id":"05","kind":0,"attempt":0}""",
            ],
            Items
        );

        // The last start was refused because it had been written before: by itself.
        Assert.Equal([null, new ExistingInstance(Id(9), "ab"), null], starts.Select(start => start.Existing));
        Assert.Equal(
            [PublishOutcome.InstanceClosed, PublishOutcome.UnknownInstance, PublishOutcome.Accepted, PublishOutcome.Duplicate],
            signals.Select(signal => signal.Outcome)
        );
    }

    [Fact]
    public async Task Lease_that_was_not_extended_is_returned_and_no_other()
    {
        _results = """[{"n":1,"outcome":1}]""";

        var lost = await _store.Connect().ExtendLeasesAsync([new(Id(1), Id(3), 5), new(Id(1), Id(2), 4)], FromMilliseconds(1500), Token);

        Assert.Equal([new ActivityLease(Id(1), Id(3), 5)], lost);
        Assert.Equal(
            [
                """{"op":"extend","instance":"01","id":"02","attempt":4,"delay":1500000}""",
                """{"op":"extend","instance":"01","id":"03","attempt":5,"delay":1500000}""",
            ],
            Items
        );
    }

    [Fact]
    public async Task Letters_that_were_requeued_and_instances_that_were_purged_are_counted()
    {
        _results = """[{"n":1,"outcome":1}]""";
        Assert.Equal(2, await _store.Connect().RequeueDeadLettersAsync([Id(1), Id(2), Id(3)], Token));
        Assert.Equal("""{"op":"requeue","id":"02"}""", Items.ElementAt(1));
        _calls.Clear();
        var closed = new Queue<long>([500, 3, 0]);
        var orphans = new Queue<long>([2, 0]);
        Factory.Answer = (call, _) => [(call == "purge_closed" ? closed : orphans).Dequeue()];

        Assert.Equal(503, await _store.Connect().PurgeAsync(FromMilliseconds(1500), Token));

        Assert.Equal([1_500_000L, 500L], _calls[0].Values);
        Assert.Equal((5, 0, 0), (_calls.Count, closed.Count, orphans.Count));
    }

    [Fact]
    public async Task Batch_of_several_documents_has_one_time_and_the_outcomes_of_each()
    {
        var signals = Range(1, 120).Select(n => new SignalSubmission(Signal(n) with { Payload = new byte[400] })).ToList();
        Factory.Answer = (_, _) => [Now, 0L, _calls.Count == 1 ? Nothing : """[{"n":1,"outcome":2}]"""u8.ToArray()];

        await _store.Connect().SubmitAsync([.. signals], Token);

        Assert.Equal([null, Now], _calls.Select(call => call.Values[2] is long since ? since : (long?)null));
        Assert.Equal(1, Factory.Commits);
        var first = JsonDocument.Parse((byte[])_calls[0].Values[0]!).RootElement.GetArrayLength();
        Assert.Equal(first + 1, signals.FindIndex(signal => signal.Outcome != PublishOutcome.Accepted));
        Assert.Equal(1, signals.Count(signal => signal.Outcome == PublishOutcome.UnknownInstance));
    }

    [Fact]
    public async Task Large_content_follows_in_pieces_to_the_instance_that_the_package_names_unless_it_was_refused()
    {
        var payload = new byte[40_000];
        payload[39_999] = 1;
        SignalSubmission[] signals =
        [
            new(Signal(1) with { InstanceId = Guid.Empty, Payload = payload }, "ab"),
            new(Signal(2) with { Payload = payload }),
        ];
        _results = $$"""[{"n":0,"outcome":0,"id":"{{Hex(9)}}"},{"n":1,"outcome":3}]""";
        Factory.Answer = (call, _) => call == "write_batch" ? [Now, 0L, Encoding.ASCII.GetBytes(_results)] : [];

        await _store.Connect().SubmitAsync([.. signals], Token);

        Assert.Equal("""{"op":"publish","key":"6162","id":"01","kind":0,"attempt":0,"large":40003}""", Items.First());
        var pieces = _calls.Skip(1).Select(call => call.Values).ToList();
        Assert.All(pieces, values => Assert.Equal(["signal", OracleText.Raw(Id(9)), OracleText.Raw(Id(1))], values.Take(3)));
        Assert.Equal(OracleContents.Of(signals[0].Signal), pieces.SelectMany(values => (byte[])values[3]!));
        Assert.Equal(1, Factory.Commits);
    }

    [Fact]
    public async Task Messages_are_sent_with_their_due_times_and_received_in_their_order()
    {
        await ((IMessageQueue)_store.Connect()).SendAsync([new Message { Id = Id(1), Payload = [1], Due = Due.AtTime(Second(2)) }], Token);
        Assert.Equal(["""{"op":"message","id":"01","due":2000000}"""], Items);
        var json = $$"""
            [{"id":"{{Hex(3)}}","due":2000000,"content":2},{"id":"{{Hex(2)}}","due":2000000,"content":2},
            {"id":"{{Hex(4)}}","due":1000000,"content":2}]
            """;
        Factory.Answer = (_, _) => [Now, -1L, 0L, Encoding.ASCII.GetBytes(json), "m3m2m4"u8.ToArray()];
        ReceivedMessages? received = null;

        var outcome = await ((IMessageQueue)_store.Connect()).ReceiveAsync(10, messages => received = messages, Token);

        Assert.Equal((3, null), (outcome.Signals, outcome.NextDue));
        Assert.Equal([10L, 0L], _calls[1].Values.Select(value => Convert.ToInt64(value, null)));
        Assert.Equal(Second(Now / 1_000_000), received!.Now);
        Assert.Equal(
            [(Id(4), Second(1), "4"), (Id(2), Second(2), "2"), (Id(3), Second(2), "3")],
            received.Messages.Select(message => (message.Id, message.Due.At!.Value, Encoding.ASCII.GetString(message.Payload)))
        );
    }

    private static InstanceRecord Instance(int number) => Seam.Instance() with { Id = Id(number), Definition = "d", DefinitionVersion = 6 };

    private static Signal Signal(int number) => Seam.Signal(Id(1), $"s{number}") with { Id = Id(number) };

    private static Guid Id(int number) => new(number.ToString("x32", CultureInfo.InvariantCulture));

    private static string Hex(int number) => OracleText.Hex(Id(number));

    private static DateTimeOffset Second(long number) => DateTimeOffset.UnixEpoch.AddSeconds(number);
}

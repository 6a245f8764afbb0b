namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>One dead letter for each operation that is to have one, and none for any other.</summary>
public sealed class DeadLetterAuditTests
{
    private static readonly Guid[] Ids = [.. Range(1, 5).Select(number => new Guid(number, 0, 0, new byte[8]))];

    private static readonly Dictionary<Guid, int> Expected = new()
    {
        [Ids[0]] = 10,
        [Ids[1]] = 11,
        [Ids[2]] = 12,
    };

    [Fact]
    public async Task Letters_as_expected_pass_and_are_counted_in_the_name()
    {
        var check = await AuditAsync(Ids[..3]);

        Assert.Equal((true, "every dead letter as expected (3)", "0 deviations"), (check.Passed, check.Check, check.Actual));
    }

    [Fact]
    public async Task Letter_that_is_missing_of_somebody_else_twice_or_wrong_is_an_exception()
    {
        Assert.Equal(
            $"1 deviation, for instance: operation 12 has no dead letter of its instance {Ids[2]}",
            (await AuditAsync(Ids[..2])).Actual
        );
        Assert.StartsWith("2 deviations, for instance: signal ", (await AuditAsync(Ids[0], Ids[1], Ids[4])).Actual);
        Assert.StartsWith("1 deviation, for instance: signal ", (await AuditAsync(Ids[0], Ids[1], Ids[2], Ids[3])).Actual);
        Assert.False((await AuditAsync(Ids[0], Ids[1], Ids[2], Ids[2])).Passed);
        Assert.Equal(
            "1 deviation, for instance: 11 is wrong",
            (await AuditAsync(operation => operation == 11 ? "11 is wrong" : null, Ids[..3])).Actual
        );
    }

    [Fact]
    public void Expectations_name_what_is_otherwise()
    {
        Expect.Accepted(PublishOutcome.Accepted, Ids[0]);
        Assert.Contains(
            "was answered with Duplicate",
            Assert.Throws<OperationFailedException>(() => Expect.Accepted(PublishOutcome.Duplicate, Ids[0])).Message
        );
        var record = new InstanceRecord
        {
            Id = Ids[0],
            Definition = "d",
            DefinitionVersion = 1,
            Status = InstanceStatus.Completed,
            Step = "s",
            Version = 3,
            State = """{"cents":7}"""u8.ToArray(),
        };
        Assert.Null(Expect.Version(record, 3));
        Assert.Equal($"instance {Ids[0]} has version 3 and not 4", Expect.Version(record, 4));
        Assert.Null(Expect.State<Order>(record, state => state.Cents == 7));
        Assert.EndsWith("has an unexpected state", Expect.State<Order>(record, state => state.Cents == 8));
        Assert.EndsWith("has an unexpected state", Expect.State<Order>(record with { State = "null"u8.ToArray() }, _ => true));
        Assert.Contains("cannot be read", Expect.State<Order>(record with { State = "{"u8.ToArray() }, _ => true));
        Assert.Equal(7, Expect.Read<Order>(record.State)!.Cents);
        Assert.Null(Expect.Read<Order>("{"u8.ToArray()));
    }

    [Fact]
    public async Task End_of_an_instance_is_timed_when_it_completed_and_an_error_otherwise()
    {
        var recorder = new ConcurrentLatencyRecorder();
        var hourAgo = Stopwatch.GetTimestamp() - (3_600 * Stopwatch.Frequency / 2);

        await Expect.CompletedAsync(Task.FromResult(Closed(InstanceStatus.Completed)), hourAgo, recorder);
        await Expect.CompletedAsync(
            Task.FromResult(Closed(InstanceStatus.Completed)),
            Stopwatch.GetTimestamp() + (3_600 * Stopwatch.Frequency),
            recorder
        );
        await Assert.ThrowsAsync<OperationFailedException>(() =>
            Expect.CompletedAsync(Task.FromResult(Closed(InstanceStatus.Faulted)), hourAgo, recorder)
        );

        var times = recorder.Snapshot();
        Assert.Equal((2, 0), (times.Count, times.OutOfRange));
        Assert.Equal(0, times.MinNanoseconds);
        Assert.True(times.MaxNanoseconds >= 1_800_000_000_000);
    }

    [Fact]
    public void First_finding_is_kept_and_all_are_counted()
    {
        var findings = new Findings();
        Assert.Equal(new VerificationCheck("all well", true, "0 deviations", "0 deviations"), findings.Check("all well"));

        findings.Add("one");
        findings.Add("two");

        Assert.Equal(
            new VerificationCheck("all well", false, "0 deviations", "2 deviations, for instance: one"),
            findings.Check("all well")
        );
    }

    private static Task<VerificationCheck> AuditAsync(params Guid[] instances) => AuditAsync(_ => null, instances);

    private static Task<VerificationCheck> AuditAsync(Func<int, string?> examine, params Guid[] instances) =>
        DeadLetterAudit.RunAsync(
            ReadBackend.Of(letters: [.. instances.Select(Letter)]),
            Expected,
            (operation, _) => examine(operation),
            Token
        );

    private static DeadLetter Letter(Guid instance) =>
        new(
            new()
            {
                Id = Guid.NewGuid(),
                InstanceId = instance,
                Kind = SignalKind.External,
                Name = "paid",
            },
            DeadLetterReason.AttemptsExhausted,
            "no coin"
        );

    private static ClosedInstance Closed(InstanceStatus status) => new(Ids[0], status, ContinuedAs: null);

    private sealed record Order(int Cents);
}

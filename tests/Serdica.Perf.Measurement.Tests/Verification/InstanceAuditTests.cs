namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>Up to a number all instances are read, and above it a sample that is even, of its size, and of the whole run.</summary>
public sealed class InstanceAuditTests
{
    [Theory]
    [InlineData(1, 1, "1")]
    [InlineData(InstanceAudit.MaxInstances, InstanceAudit.MaxInstances, "10000")]
    [InlineData(InstanceAudit.MaxInstances + 1, InstanceAudit.MaxInstances, "10000 of 10001 sampled")]
    [InlineData(35_000, InstanceAudit.MaxInstances, "10000 of 35000 sampled")]
    public async Task Sample_is_even_and_says_what_it_is_of(int operations, int sampled, string of)
    {
        var ids = Ids(operations);
        var examined = new ConcurrentBag<int>();

        var checks = await AuditAsync(
            ids,
            id => Record(id),
            (operation, record) =>
            {
                Assert.Equal(ids[operation], record.Id);
                examined.Add(operation);
                return null;
            }
        );

        int[] read = [.. examined.Order()];
        Assert.Equal(sampled, read.Distinct().Count());
        Assert.Equal(0, read[0]);
        Assert.InRange(operations - read[^1], 1, (operations / sampled) + 1);
        Assert.DoesNotContain(read.Zip(read.Skip(1)), pair => pair.Second - pair.First > (operations / sampled) + 1);
        Assert.Equal(
            [$"every instance found ({of})", $"every instance completed ({of})", $"every state and version as expected ({of})"],
            checks.Select(check => check.Check)
        );
        Assert.DoesNotContain(checks, check => !check.Passed);
    }

    [Fact]
    public async Task Sample_that_operations_have_kept_says_of_how_many_it_is()
    {
        var ids = Ids(100);
        ids[7] = Guid.Empty;

        var checks = await AuditAsync(ids, id => Record(id), (_, _) => null, operations: 5_000, index => index * 50);

        Assert.Equal("every instance found (100 of 5000 sampled)", checks[0].Check);
        Assert.Equal("1 deviation, for instance: operation 350 has no instance", checks[0].Actual);
    }

    /// <summary>Each fault is counted in one check and in no other, in the sample of a large run too.</summary>
    [Fact]
    public async Task Each_fault_fails_the_check_that_it_is_of()
    {
        var ids = Ids(30_000);
        ids[3] = Guid.Empty;
        var (lost, open, wrong) = (ids[6], ids[9], ids[12]);

        var checks = await AuditAsync(
            ids,
            id =>
                id == lost
                    ? null
                    : Record(id) with
                    {
                        Status = id == open ? InstanceStatus.Waiting : InstanceStatus.Completed,
                        Error = id == open ? "no coin" : null,
                    },
            (_, record) => record.Id == wrong ? $"instance {record.Id} is wrong" : null
        );

        Assert.Equal(
            [(false, "2 deviations"), (false, "1 deviation"), (false, "1 deviation")],
            checks.Select(check => (check.Passed, check.Actual.Split(',')[0]))
        );
        Assert.EndsWith($"instance {open} is Waiting at 'step': no coin", checks[1].Actual);
        Assert.EndsWith($"instance {wrong} is wrong", checks[2].Actual);
    }

    [Fact]
    public async Task Instance_must_have_closed_as_its_operation_says()
    {
        var ids = Ids(4);

        var checks = await InstanceAudit.RunAsync(
            ReadBackend.Of(id => Record(id) with { Status = InstanceStatus.Cancelled }),
            ids,
            (_, _) => null,
            Token,
            closedAs: operation => operation == 2 ? InstanceStatus.Completed : InstanceStatus.Cancelled
        );

        Assert.Equal((false, $"1 deviation, for instance: instance {ids[2]} is Cancelled at 'step'"), (checks[1].Passed, checks[1].Actual));
        Assert.Equal("every instance closed as it must (4)", checks[1].Check);
    }

    private static Task<IReadOnlyList<VerificationCheck>> AuditAsync(
        Guid[] ids,
        Func<Guid, InstanceRecord?> find,
        Func<int, InstanceRecord, string?> examine,
        int? operations = null,
        Func<int, int>? numberOf = null
    ) => InstanceAudit.RunAsync(ReadBackend.Of(find), ids, examine, Token, operations, numberOf);

    private static Guid[] Ids(int count) => [.. Range(1, count).Select(number => new Guid(number, 0, 0, new byte[8]))];

    private static InstanceRecord Record(Guid id) =>
        new()
        {
            Id = id,
            Definition = "test",
            DefinitionVersion = 1,
            Status = InstanceStatus.Completed,
            Step = "step",
            Version = 1,
            State = [],
        };
}

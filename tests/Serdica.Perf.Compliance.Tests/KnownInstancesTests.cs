namespace Serdica.Perf.Compliance;

public sealed class KnownInstancesTests
{
    /// <summary>Bytes that an entry counts for, beside its state.</summary>
    private const int Entry = 512;

    private readonly ServerIncarnation _server = new(new PostgreSqlScripts("known"));

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    public void Instance_is_given_out_once(int later)
    {
        var known = Known(entries: 10);
        var instance = Instance();
        known.Written(0, [instance, .. Range(0, later).Select(_ => Instance())]);

        Assert.Same(instance, known.Take(instance.Id, 0));
        Assert.Null(known.Take(instance.Id, 0));
    }

    [Fact]
    public void Nothing_is_kept_before_a_host_decides_signals()
    {
        var known = new KnownInstances(10 * Entry, _server);
        var instance = Instance();
        known.Written(0, [instance]);
        known.Enable();

        Assert.Null(known.Take(instance.Id, 0));
    }

    [Fact]
    public void Closed_instances_and_children_are_not_kept()
    {
        var known = Known(entries: 10);
        var closed = Instance() with { Version = 3 };
        var child = Instance() with { ParentId = Guid.NewGuid() };
        known.Written(0, [closed]);
        known.Written(0, [closed with { Version = 4, Status = InstanceStatus.Completed }, child]);

        Assert.Null(known.Take(closed.Id, 0));
        Assert.Null(known.Take(child.Id, 0));
    }

    [Theory]
    [InlineData(WaitKinds.External, false, true)]
    [InlineData(WaitKinds.External, true, false)]
    [InlineData(WaitKinds.External | WaitKinds.Timer, true, false)]
    [InlineData(WaitKinds.Activity, true, true)]
    public void Instance_that_waits_for_a_time_is_not_kept(WaitKinds waits, bool hasNotes, bool isKept)
    {
        var known = Known(entries: 10);
        var instance = Instance() with { Waits = waits, Progress = hasNotes ? "{}"u8.ToArray() : null };
        known.Written(0, [instance]);

        Assert.Equal(isKept, known.Take(instance.Id, 0) is not null);
    }

    [Fact]
    public void Continuation_is_kept_when_its_predecessor_is_all_that_is_noted()
    {
        var known = Known(entries: 10);
        byte[] link = Encoding.UTF8.GetBytes($$"""{"continuedFrom":"{{Guid.NewGuid()}}"}""");
        var plain = Instance() with { Progress = link };
        var timed = Instance() with { Progress = [.. link[..^1], .. ",\"timerId\":null}"u8] };
        known.Written(0, [plain, timed]);

        Assert.NotNull(known.Take(plain.Id, 0));
        Assert.Null(known.Take(timed.Id, 0));
    }

    [Fact]
    public void Commit_that_is_noted_late_does_not_replace_a_later_one()
    {
        var known = Known(entries: 10);
        var instance = Instance();
        known.Written(0, [instance with { Version = 7 }]);
        known.Written(0, [instance with { Version = 6 }]);

        Assert.Equal(7, known.Take(instance.Id, 0)!.Version);
    }

    [Fact]
    public void Those_that_were_written_last_are_kept_within_the_bytes()
    {
        var known = Known(entries: 8);
        List<InstanceRecord> instances = [.. Range(0, 100).Select(_ => Instance())];
        foreach (var instance in instances)
            known.Written(0, [instance]);

        var kept = instances.Select(instance => known.Take(instance.Id, 0) is not null).ToList();

        Assert.InRange(kept.Count(isKept => isKept), 4, 8);
        Assert.Equal(kept.Order(), kept);
    }

    [Fact]
    public void Instance_that_is_written_again_and_again_takes_the_place_of_itself_alone()
    {
        var known = Known(entries: 8);
        var (first, busy) = (Instance(), Instance());
        known.Written(0, [first]);
        for (var version = 1; version <= 100; version++)
            known.Written(0, [busy with { Version = version }]);

        Assert.NotNull(known.Take(first.Id, 0));
        Assert.Equal(100, known.Take(busy.Id, 0)!.Version);
    }

    [Fact]
    public void State_and_progress_count_and_one_that_is_too_large_drops_no_other()
    {
        var known = Known(entries: 8);
        var small = Instance();
        var large = Instance() with { State = new byte[3 * Entry], Progress = new byte[Entry], Waits = WaitKinds.Activity };
        known.Written(0, [small, large]);

        Assert.Null(known.Take(large.Id, 0));
        Assert.NotNull(known.Take(small.Id, 0));
    }

    [Fact]
    public void What_another_server_has_is_not_known()
    {
        var known = Known(entries: 10);
        var (before, late, after) = (Instance(), Instance(), Instance());
        known.Written(0, [before]);

        _server.Lost();
        known.Written(0, [late]);
        Assert.Null(known.Take(before.Id, 1));
        known.Written(1, [after]);

        Assert.Null(known.Take(before.Id, 1));
        Assert.Null(known.Take(late.Id, 1));
        Assert.Null(known.Take(after.Id, 0));
        Assert.NotNull(known.Take(after.Id, 1));
    }

    [Fact]
    public void Starts_with_a_business_key_are_not_kept_because_they_may_have_found_it_taken()
    {
        var known = Known(entries: 10);
        var at = DateTimeOffset.UtcNow;
        var (plain, keyed) = (Instance(), Instance() with { BusinessKey = "key" });
        known.Started(0, [Seam.Start(plain), Seam.Start(keyed)], at);
        known.Started(0, [Seam.Start(keyed)], at: null);

        Assert.Equal(at, known.Take(plain.Id, 0)!.CreatedAt);
        Assert.Null(known.Take(keyed.Id, 0));
    }

    [Fact]
    public void Batches_read_after_a_refusal_each_time_for_twice_as_long_and_at_most_4096_times()
    {
        var pause = new UnreadPause();
        Assert.False(pause.Skips());
        foreach (var length in (int[])[16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 4096])
        {
            pause.Tried(isRefused: true);
            Assert.All(Range(0, length), _ => Assert.True(pause.Skips()));
            Assert.False(pause.Skips());
        }

        pause.Tried(isRefused: false);
        Assert.False(pause.Skips());
        pause.Tried(isRefused: true);
        Assert.Equal(16, Range(0, 100).Count(_ => pause.Skips()));
    }

    private KnownInstances Known(int entries)
    {
        var known = new KnownInstances(entries * Entry, _server);
        known.Enable();
        return known;
    }

    private static InstanceRecord Instance() => Seam.Instance() with { State = [] };
}

namespace Serdica.Perf.Workflows.Tests;

public sealed class ClosedChildrenTests
{
    private readonly ManualTimeProvider _clock = new();

    /// <summary>With more parents at once than are kept, each would otherwise drop what another is about to take.</summary>
    [Fact]
    public async Task Families_beyond_the_bound_wait_until_others_are_taken_or_have_waited_too_long()
    {
        await using var backend = new InMemoryWorkflowBackend();
        var children = new ClosedChildren(backend, _clock, NullLogger.Instance);
        ChildFamily[] families =
        [.. Range(0, ClosedChildren.MaxFamilies + 2).Select(_ => new ChildFamily { First = Guid.NewGuid(), Count = 3 })];

        foreach (var family in families)
            children.Read(family);
        await ReadAsync(families[..^2]);
        Assert.Null(children.Find(families[^2]));

        children.Forget(families[0]);
        children.Read(families[^2]);
        await ReadAsync(families[1..^1]);
        children.Read(families[^1]);
        Assert.Null(children.Find(families[^1]));

        _clock.Advance(ClosedChildren.Kept);
        children.Read(families[^1]);
        await ReadAsync(families[^1]);
        Assert.Null(children.Find(families[1]));

        // Another host has taken the last one, and nobody asks for others; and so again.
        await HangGuard.UntilAsync(() => IsDroppedAfter(FromMinutes(1)), () => "the results stay in memory");
        children.Read(families[^1]);
        await ReadAsync(families[^1]);
        await HangGuard.UntilAsync(() => IsDroppedAfter(FromMinutes(1)), () => "the results stay in memory the second time");

        bool IsDroppedAfter(TimeSpan pause)
        {
            _clock.Advance(pause);
            return children.Find(families[^1]) is null;
        }

        Task ReadAsync(params ChildFamily[] read) =>
            HangGuard.UntilAsync(() => read.All(family => children.Find(family) is { Count: 3 }), () => "not all families are read");
    }

    [Fact]
    public async Task Results_are_taken_also_where_a_round_of_all_parents_takes_longer_than_they_are_usually_kept()
    {
        await using var backend = new InMemoryWorkflowBackend();
        var children = new ClosedChildren(backend, _clock, NullLogger.Instance);
        var waiting = Range(0, 40).Select(_ => new ChildFamily { First = Guid.NewGuid(), Count = 1 }).ToList();

        for (var turn = 0; turn < 300 && waiting.Count > 0; turn++)
        {
            _clock.Advance(FromMilliseconds(100));
            var family = waiting[0];
            waiting.RemoveAt(0);
            if (children.Find(family) is not null)
            {
                children.Forget(family);
                continue;
            }

            waiting.Add(family);
            if (children.Read(family))
                await HangGuard.UntilAsync(() => children.Find(family) is not null, () => "a family is not read");
        }

        Assert.Empty(waiting);
    }

    [Fact]
    public async Task Family_whose_read_has_failed_is_read_again()
    {
        var looks = 0;
        await using var backend = new Finding(() => ++looks == 1 ? throw new TimeoutException() : null);
        var children = new ClosedChildren(backend, _clock, NullLogger.Instance);
        var family = new ChildFamily { First = Guid.NewGuid(), Count = 1 };

        await HangGuard.UntilAsync(() => !children.Read(family) && children.Find(family) is not null, () => "it is not read again");
    }

    /// <summary>Each asking is a turn that is written.</summary>
    [Theory]
    [InlineData(1, 20)]
    [InlineData(1_000, 250)]
    [InlineData(100_000, 1_000)]
    public void Results_of_more_children_are_asked_for_later(int count, int milliseconds) =>
        Assert.Equal(milliseconds, new ChildFamily { First = Guid.NewGuid(), Count = count }.ReadPause.TotalMilliseconds);
}

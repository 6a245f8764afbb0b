using Microsoft.Extensions.Logging.Abstractions;

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
        [.. Enumerable.Range(0, ClosedChildren.MaxFamilies + 2).Select(_ => new ChildFamily { First = Guid.NewGuid(), Count = 3 })];

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

        Task ReadAsync(params ChildFamily[] read) =>
            HangGuard.UntilAsync(() => read.All(family => children.Find(family) is { Count: 3 }), () => "not all families are read");
    }
}

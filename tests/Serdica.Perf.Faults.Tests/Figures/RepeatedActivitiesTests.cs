namespace Serdica.Perf.Faults.Tests.Figures;

/// <summary>An attempt repeats an activity when the one before it was lost, and not when it has failed.</summary>
public sealed class RepeatedActivitiesTests : FolderTests
{
    /// <summary>A host that was stopped cancels its attempt when it goes on, which may be after the next one began.</summary>
    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 0)]
    [InlineData(2, 0)]
    [InlineData(3, 1)]
    public async Task Attempt_after_one_that_was_lost_is_a_repeat_and_one_after_a_failure_is_none(int failedAt, int repeats)
    {
        var (time, activity) = (new ManualTimeProvider(), Guid.CreateVersion7());
        await using (var one = new HistoryWriter(Root.Path, "host-1", "host", time))
        {
            await using var two = new HistoryWriter(Root.Path, "host-2", "host", time);
            foreach (var at in (int[])[1, 2, 3])
            {
                if (at == failedAt)
                    one.Write(Of(activity, 1, HistoryPhase.Failed));
                if (at == 2)
                    two.Write(Of(activity, 2, HistoryPhase.Began));
                time.Advance(FromSeconds(1));
            }
        }

        Assert.Equal(repeats, RepeatedActivities.Read(Root.Path).Count);
    }

    [Fact]
    public async Task Failure_of_the_repeat_itself_changes_nothing()
    {
        var lost = Guid.CreateVersion7();
        await WriteAsync("host-1", Of(lost, 1, HistoryPhase.Began));
        await WriteAsync("host-2", Of(lost, 2, HistoryPhase.Began), Of(lost, 2, HistoryPhase.Failed), Of(lost, 3, HistoryPhase.Began));

        Assert.Single(RepeatedActivities.Read(Root.Path));
    }

    [Fact]
    public async Task Repeat_has_the_time_at_which_its_attempt_began()
    {
        var time = new ManualTimeProvider();
        var began = time.GetUtcNow() + FromSeconds(3);
        await using (var history = new HistoryWriter(Root.Path, "host-1", "host", time))
        {
            time.Advance(FromSeconds(3));
            history.Write(Of(Guid.CreateVersion7(), 2, HistoryPhase.Began));
        }

        Assert.Equal([began], RepeatedActivities.Read(Root.Path));
    }

    private static HistoryRecord Of(Guid activity, int token, HistoryPhase phase) =>
        new() { Kind = HistoryKind.Effect, Id = activity, Token = token, Phase = phase };

    private async Task WriteAsync(string process, params HistoryRecord[] lines)
    {
        await using var history = new HistoryWriter(Root.Path, process, "host", new ManualTimeProvider());
        history.WriteAll(lines);
    }
}

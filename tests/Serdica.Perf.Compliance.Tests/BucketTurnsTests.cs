using Serdica.Perf.Workflows.Tests;

namespace Serdica.Perf.Compliance;

/// <summary>Which bucket has its turn, without a server.</summary>
public sealed class BucketTurnsTests
{
    private static readonly Buckets Four = new(4);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Bucket_that_has_waited_for_longest_comes_first_and_each_once()
    {
        var turns = new BucketTurns(Four, _clock);
        foreach (var bucket in (short[])[Four.All[2], Four.All[0], Four.All[3], Four.All[2]])
        {
            _clock.Advance(TimeSpan.FromMilliseconds(1));
            turns.MayBeDue(bucket);
        }

        Assert.Equal([Four.All[2], Four.All[0], Four.All[3]], Taken(turns));
        Assert.False(turns.HasDue);
    }

    [Fact]
    public void Signals_that_are_sent_for_now_make_the_bucket_of_their_instance_due()
    {
        var turns = new BucketTurns(Four, _clock);
        var (now, later) = InTwoBuckets();

        turns.Sent([
            new Decision { Sent = [Seam.Signal(now.Id), Seam.Signal(later.Id, due: Due.After(TimeSpan.FromSeconds(1)))] },
        ]);

        Assert.Equal([Four.Of(now.Id)], Taken(turns));
    }

    [Fact]
    public void Published_signals_that_no_client_has_decided_make_their_bucket_due()
    {
        var turns = new BucketTurns(Four, _clock);
        var (stored, decided) = InTwoBuckets();
        var written = Seam.Publish(decided.Id);
        written.IsDecided = true;

        turns.Sent([.. new[] { Seam.Publish(stored.Id), written }.Select(signal => new Receiver(signal, signal.Signal))]);

        Assert.Equal([Four.Of(stored.Id)], Taken(turns));
    }

    [Fact]
    public void Look_is_needed_at_first_and_no_bucket_is_known()
    {
        var turns = new BucketTurns(Four, _clock);

        Assert.True(turns.NeedLook);
        Assert.False(turns.HasDue);
        Assert.Null(turns.NextDue);
        Assert.False(turns.TryTake(out _));
    }

    private static (InstanceRecord One, InstanceRecord Other) InTwoBuckets()
    {
        var (one, other) = (Seam.Instance(), Seam.Instance());
        while (Four.Of(other.Id) == Four.Of(one.Id))
            other = Seam.Instance();
        return (one, other);
    }

    private static List<short> Taken(BucketTurns turns)
    {
        var taken = new List<short>();
        while (turns.TryTake(out var bucket))
            taken.Add(bucket);
        return taken;
    }
}

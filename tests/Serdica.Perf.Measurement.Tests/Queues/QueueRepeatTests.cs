namespace Serdica.Perf.Measurement.Tests.Queues;

public sealed class QueueRepeatTests
{
    [Fact]
    public void One_test_stands_for_itself()
    {
        var only = Test(1, 10);

        Assert.Same(only, QueueRepeat.Together([only]));
    }

    [Fact]
    public void Several_are_told_by_the_one_in_the_middle_and_judged_by_the_worst()
    {
        var together = QueueRepeat.Together([
            Test(1, 30),
            Test(2, 10) with { Verdict = StepVerdict.Failed, Reasons = ["It lost a message."], Lost = 1 },
            Test(3, 20) with { Lost = 2, Duplicates = 4 },
        ]);

        Assert.Equal((3, 20, 3, 4), (together.Repeat, together.EndToEnd.P99Ms, together.Lost, together.Duplicates));
        Assert.Equal((StepVerdict.Failed, "Repeat 2: It lost a message."), (together.Verdict, Assert.Single(together.Reasons)));
        Assert.Equal(
            [(1, StepVerdict.Passed, 30.0), (2, StepVerdict.Failed, 10.0), (3, StepVerdict.Passed, 20.0)],
            together.Repeats.Select(repeat => (repeat.Number, repeat.Verdict, repeat.EndToEnd.P99Ms!.Value))
        );
    }

    [Fact]
    public void A_repeat_that_read_nothing_is_the_slowest()
    {
        var dead = Test(1, 0) with { EndToEnd = LatencySummary.Empty };

        Assert.Equal(3, QueueRepeat.Together([dead, Test(2, 10), Test(3, 20)]).Repeat);
    }

    private static QueueTestResult Test(int repeat, double p99) => SampleQueueTest.With(writers: 10, writtenPerSecond: 100, repeat, p99);
}

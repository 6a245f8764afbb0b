namespace Serdica.Perf.Measurement.Tests.Queues;

public sealed class QueueRungTests
{
    [Fact]
    public void The_rung_that_wrote_the_most_stands_for_the_ladder()
    {
        var together = QueueRung.Together([
            SampleQueueTest.With(1, 1_000),
            SampleQueueTest.With(4, 3_000),
            SampleQueueTest.With(16, 2_900) with { Verdict = StepVerdict.Failed, Reasons = ["It lost a message."] },
        ]);

        Assert.Equal(
            (4, 3_000, StepVerdict.Failed, "16 writers: It lost a message."),
            (together.Plan.Writers, together.WrittenPerSecond, together.Verdict, Assert.Single(together.Reasons))
        );
        Assert.Equal([1, 4, 16], together.Ladder.Select(level => level.Writers));
        Assert.Equal(
            [500.0, 500.0 / 3, 500.0 / 2.9],
            together.Ladder.Select(level => level.ProcessorUs!.Value),
            (expected, actual) => Math.Abs(expected - actual) < 1e-9
        );
    }

    [Fact]
    public void One_rung_is_no_ladder_and_says_nothing_of_growth()
    {
        var only = SampleQueueTest.With(1, 1_000);

        Assert.Same(only, QueueRung.Together([only]));
        Assert.Empty(only.Ladder);
    }

    [Fact]
    public void Where_nothing_was_written_a_message_took_no_time() =>
        Assert.Null(
            QueueRung.Together([SampleQueueTest.With(1, 0) with { Written = 0 }, SampleQueueTest.With(4, 10)]).Ladder[0].ProcessorUs
        );

    [Theory]
    [InlineData(
        new double[] { 1_000, 3_000, 3_299 },
        "Throughput stopped growing at 4 writers, 3,000/s: 16 wrote 3,299/s and took 152 us of processor time a message where it had "
            + "been 167."
    )]
    [InlineData(new double[] { 1_000, 3_000, 3_301 }, "Throughput still grew at 16 writers, the most that were tried.")]
    [InlineData(
        new double[] { 1_000, 900, 5_000 },
        "From 1 to 4 writers throughput did not grow (1,000/s, 900/s); the most was 5,000/s with 16 writers."
    )]
    public void Growth_below_a_tenth_is_none(double[] written, string expected) =>
        Assert.Equal(
            expected,
            QueueRung.Sentence(
                QueueRung.Together([.. written.Select((perSecond, index) => SampleQueueTest.With(1 << (2 * index), perSecond))]).Ladder
            )
        );
}

namespace Serdica.Perf.Compliance;

/// <summary>What the figures of a cluster are, by those of its nodes.</summary>
public sealed class CitusFiguresTests
{
    [Theory]
    [InlineData("walBytes", 6)]
    [InlineData("writingCommits", 6)]
    [InlineData("connections", 6)]
    [InlineData("oldestTransactionAge", 3)]
    [InlineData("notificationQueueUsage", 3)]
    public void Counts_are_sums_and_states_are_those_of_the_worst_node(string figure, double expected) =>
        Assert.Equal(expected, CitusStatistics.Of(figure, [new(2), new(1), new(3)]).Value);

    [Fact]
    public void Figure_that_one_node_lacks_is_missing_with_its_reason()
    {
        var missing = CitusStatistics.Of("walSyncTime", [new(2, "ms"), new(null, "ms", "track_wal_io_timing is off.")]);

        Assert.Equal((null, "track_wal_io_timing is off."), (missing.Value, missing.Missing));
    }

    [Fact]
    public void Waits_and_statements_of_all_nodes_are_added_up()
    {
        var cluster = CitusStatistics.Of([
            new(new Dictionary<string, Statistic>()) { Waits = [new("IO", "WALSync", 5, 1)], WaitsMissing = "Nobody is here." },
            new(new Dictionary<string, Statistic>())
            {
                Waits = [new("IO", "WALSync", 7, 2), new("CPU", "running", 3, 4)],
                Statements = [new("select", 2, 1.5, 3, 10)],
            },
            new(new Dictionary<string, Statistic>()) { Statements = [new("select", 5, 2.5, 4, 20)] },
        ]);

        Assert.Equal([new("IO", "WALSync", 12, 3), new("CPU", "running", 3, 4)], cluster.Waits);
        Assert.Equal([new("select", 7, 4, 7, 30)], cluster.Statements);
        Assert.Null(cluster.WaitsMissing);
    }

    [Fact]
    public void Figure_is_as_late_as_its_latest_part_and_keeps_its_unit()
    {
        var figure = CitusStatistics.Of(
            "tableBytes",
            [new(2, "bytes", IsGauge: true), new(1, "bytes", Lag: FromSeconds(1), IsGauge: true)]
        );

        Assert.Equal(new Statistic(3, "bytes", Lag: FromSeconds(1), IsGauge: true), figure);
    }
}

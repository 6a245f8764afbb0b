namespace Serdica.Perf.Compliance;

/// <summary>Which scripts read which figures on which version, and that a figure which a version lacks has a reason.</summary>
public sealed class PostgreSqlFiguresTests
{
    [Theory]
    [InlineData(14, "statistics-wal", "statistics-checkpoints", false)]
    [InlineData(15, "statistics-wal", "statistics-checkpoints", false)]
    [InlineData(16, "statistics-wal", "statistics-checkpoints", true)]
    [InlineData(17, "statistics-wal", "statistics-checkpoints-17", true)]
    [InlineData(18, "statistics-wal-18", "statistics-checkpoints-17", true)]
    public void Each_version_is_asked_where_it_keeps_its_figures(int version, string wal, string checkpoints, bool hasStatIo)
    {
        var scripts = PostgreSqlFigures.ScriptsOf(version);

        Assert.Contains(wal, scripts);
        Assert.Contains(checkpoints, scripts);
        Assert.Equal(hasStatIo, scripts.Contains("statistics-io-16"));
        Assert.Equal(hasStatIo ? 6 : 5, scripts.Count);
    }

    [Theory]
    [InlineData(14)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(18)]
    public void The_scripts_of_a_version_tell_each_figure_once_and_nothing_else(int version)
    {
        var scripts = new PostgreSqlScripts("unused");
        var told = PostgreSqlFigures.ScriptsOf(version).SelectMany(script => ColumnsOf(scripts[script])).ToList();

        Assert.Equal(told.Distinct(), told);
        var figures = PostgreSqlFigures.Of(told.ToDictionary(name => name, _ => (double?)1), TimeSpan.Zero);
        Assert.Empty(told.Except(figures.Keys));
        var missing = figures.Where(figure => figure.Value.Value is null).ToList();
        Assert.Equal(
            version < 16 ? ["clientBlocksEvicted", "clientBlocksExtended", "clientBlocksWritten"] : [],
            missing.Select(figure => figure.Key).Order(StringComparer.Ordinal)
        );
        Assert.DoesNotContain(missing, static figure => figure.Value.Missing != "pg_stat_io came with PostgreSQL 16.");
    }

    [Fact]
    public void Only_counts_that_sessions_report_lag()
    {
        var figures = PostgreSqlFigures.Of(
            new Dictionary<string, double?>
            {
                ["commits"] = 3,
                ["walBytes"] = 4,
                ["connections"] = 5,
            },
            FromSeconds(1)
        );

        Assert.Equal(new Statistic(3, Lag: FromSeconds(1)), figures["commits"]);
        Assert.Equal(new Statistic(4, "bytes"), figures["walBytes"]);
        Assert.Equal(new Statistic(5, IsGauge: true), figures["connections"]);
        Assert.Equal("track_wal_io_timing is off.", figures["walSyncTime"].Missing);
    }

    /// <summary>Names in quotation marks that follow an <c>as</c>.</summary>
    private static IEnumerable<string> ColumnsOf(string script) => script.Split('"').Where((_, index) => index % 2 == 1);
}

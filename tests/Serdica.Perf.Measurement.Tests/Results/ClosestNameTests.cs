namespace Serdica.Perf.Measurement.Tests.Results;

public sealed class ClosestNameTests
{
    private static readonly string[] Names = ["postgresql", "mongodb", "documentdb", "oracle-aq", "in-memory", "p50", "p99"];

    [Theory]
    [InlineData("postgres", "postgresql")]
    [InlineData("posgtresql", "postgresql")]
    [InlineData("MONGODB", "mongodb")]
    [InlineData("oracle", "oracle-aq")]
    [InlineData("inmemory", "in-memory")]
    [InlineData("p98", "p99")]
    [InlineData("mysql", null)]
    [InlineData("x", null)]
    [InlineData("", null)]
    public void The_name_that_was_meant_is_found_and_none_where_none_is_close(string typed, string? meant) =>
        Assert.Equal(meant, ClosestName.Find(typed, Names));
}

using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>What the reply to serverStatus becomes.</summary>
public sealed class MongoDbFiguresTests
{
    [Fact]
    public void Counters_get_the_names_of_the_other_backends_and_what_is_not_there_a_reason()
    {
        using var writer = new BsonWriter();
        writer.Write("host"u8, "anywhere");
        writer.BeginDocument("network"u8);
        writer.Write("numRequests"u8, 41L);
        writer.End();
        writer.BeginDocument("metrics"u8);
        writer.BeginDocument("document"u8);
        writer.Write("inserted"u8, 1);
        writer.Write("updated"u8, 2L);
        writer.Write("deleted"u8, 4);
        writer.End();
        writer.End();

        var figures = MongoDbFigures.Read(new DocumentReply(writer.Finish()));

        Assert.Equal(41, figures["roundTrips"].Value);
        Assert.Equal(7, figures["rowsTouched"].Value);
        Assert.Null(figures["walBytes"].Value);
        Assert.Equal("serverStatus has no 'wiredTiger/log/log bytes written'.", figures["walBytes"].Missing);
        Assert.All(figures.Values, figure => Assert.True(figure.Value is null == figure.Missing is not null));
    }
}

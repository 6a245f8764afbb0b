namespace Serdica.Perf.Compliance;

/// <summary>What the reply to serverStatus becomes.</summary>
public sealed class MongoDbFiguresTests
{
    [Fact]
    public void Counters_get_the_names_of_the_other_backends_and_what_is_not_there_a_reason()
    {
        var figures = MongoDbFigures.Read(
            BsonDocument.Parse(
                """
                {
                    "host": "anywhere",
                    "network": { "numRequests": { "$numberLong": "41" } },
                    "metrics": { "document": { "inserted": 1, "updated": { "$numberLong": "2" }, "deleted": 4 } },
                    "wiredTiger": { "cursor": { "Total number of entries skipped by cursor next calls": 12 } }
                }
                """
            ),
            Nothing()
        );

        Assert.Equal(41, figures["roundTrips"].Value);
        Assert.Equal(7, figures["rowsTouched"].Value);
        Assert.Equal(12, figures["entriesSkipped"].Value);
        Assert.Null(figures["walBytes"].Value);
        Assert.Equal("serverStatus has no 'wiredTiger/log/log bytes written'.", figures["walBytes"].Missing);
        EachItem.Holds(figures.Values, figure => Assert.True(figure.Value is null == figure.Missing is not null));
    }

    [Theory]
    [InlineData(
        """{ "wiredTiger": { "concurrentTransactions": { "write": { "out": 3 } }, "transaction": { "transaction checkpoints": 9 } } }"""
    )]
    [InlineData(
        """
            { "queues": { "execution": { "write": { "out": 3 } } },
              "wiredTiger": { "checkpoint": { "total succeed number of checkpoints": 9 } } }
            """
    )]
    public void Tickets_and_checkpoints_are_found_where_either_version_has_them(string status)
    {
        var figures = MongoDbFigures.Read(BsonDocument.Parse(status), Nothing());

        Assert.Equal(3, figures["writeTicketsOut"].Value);
        Assert.Equal(9, figures["checkpoints"].Value);
    }

    [Fact]
    public void Times_are_in_milliseconds_as_on_the_other_backends()
    {
        var figures = MongoDbFigures.Read(
            BsonDocument.Parse(
                """
                {
                    "wiredTiger": { "log": { "log sync time duration (usecs)": { "$numberLong": "2500" } } },
                    "extra_info": { "note": "fields vary by platform", "user_time_us": { "$numberLong": "7000" },
                      "system_time_us": { "$numberLong": "1000" } }
                }
                """
            ),
            Nothing()
        );

        Assert.Equal((2.5, "ms"), (figures["walSyncTime"].Value, figures["walSyncTime"].Unit));
        Assert.Equal((8.0, "ms"), (figures["databaseCpu"].Value, figures["databaseCpu"].Unit));
    }

    /// <summary>Nothing was asked for the statistics themselves.</summary>
    private static MongoDbAnswers Nothing() => new(new RecordedServer([]));
}

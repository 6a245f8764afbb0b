using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>What a server says of itself in its reply to serverStatus.</summary>
public sealed class MongoDbServerDescriptionTests
{
    [Fact]
    public void A_member_of_a_replica_set_has_transactions_and_keeps_its_data()
    {
        var description = MongoDbServerDescription.Read(Reply("mongod", "rs0", isPersistent: true));

        Assert.Equal("8.0.4", description.Version);
        Assert.True(description.HasTransactions);
        Assert.True(description.IsPersistent);
        Assert.Equal("rs0", description.Settings["replicaSet"]);
        Assert.Equal("wiredTiger", description.Settings["storageEngine"]);
        Assert.Equal("majority, journaled", description.Settings["writeConcern"]);
    }

    [Fact]
    public void A_server_that_stands_alone_has_no_transactions() =>
        Assert.False(MongoDbServerDescription.Read(Reply("mongod", replicaSet: null, isPersistent: true)).HasTransactions);

    [Fact]
    public void A_router_has_transactions() =>
        Assert.True(MongoDbServerDescription.Read(Reply("mongos", replicaSet: null, isPersistent: null)).HasTransactions);

    [Fact]
    public void Data_in_memory_is_not_kept() =>
        Assert.False(MongoDbServerDescription.Read(Reply("mongod", "rs0", isPersistent: false)).IsPersistent);

    [Fact]
    public void What_is_not_told_is_unknown() =>
        Assert.Null(MongoDbServerDescription.Read(Reply("mongos", replicaSet: null, isPersistent: null)).IsPersistent);

    private static DocumentReply Reply(string process, string? replicaSet, bool? isPersistent)
    {
        var writer = new BsonWriter();
        writer.Write("version"u8, "8.0.4");
        writer.Write("process"u8, process);
        if (replicaSet is not null)
        {
            writer.BeginDocument("repl"u8);
            writer.Write("setName"u8, replicaSet);
            writer.End();
        }

        if (isPersistent is { } persistent)
        {
            writer.BeginDocument("storageEngine"u8);
            writer.Write("name"u8, "wiredTiger");
            writer.Write("persistent"u8, persistent);
            writer.End();
        }

        return new DocumentReply(writer.Finish().ToArray());
    }
}

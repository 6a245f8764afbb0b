using Serdica.Perf.Compliance;

namespace Serdica.Perf.Cli.Tests;

/// <summary>What the command line says of MongoDB where there is none, and of servers that stand in for it.</summary>
public sealed class MongoDbTests : CliTests
{
    [Fact]
    public async Task Run_says_in_one_sentence_why_it_is_not_measured()
    {
        Assert.Equal(
            ExitCodes.BackendUnavailable,
            await Cli.RunAsync("run", "--backend", "mongodb", "--scenario", "immediate-burst-smoke", "--output", Cli.Folder)
        );

        Assert.Contains(MongoDriver.NoServer, Cli.Written("summary.md"));
    }

    /// <summary>The stand-in greets as a router of a sharded cluster does; here it has the name of one too.</summary>
    [Theory]
    [InlineData(ExitCodes.BackendUnavailable, "run", "--scenario", "immediate-burst-smoke")]
    [InlineData(ExitCodes.BackendUnavailable, "load", "--rate", "10", "--duration", "1s")]
    [InlineData(ExitCodes.BackendUnavailable, "queue", "--duration", "1s")]
    [InlineData(ExitCodes.Failed, "doctor")]
    public async Task Router_of_a_sharded_cluster_is_refused_before_any_work(int exitCode, params string[] command)
    {
        await using var router = StandIn(new StandInFault("serverStatus", BsonDocument.Parse("""{ "process": "mongos", "ok": 1.0 }""")));
        Cli.Variables["SERDICA_PERF_MONGODB"] = router.ConnectionString;
        Cli.Variables["SERDICA_PERF_MONGODB_FOREIGN_DATA"] = "accept";
        string[] output = command[0] == "doctor" ? [] : ["--output", Cli.Folder];

        var actual = await Cli.RunAsync([.. command, "--backend", "mongodb", .. output]);

        Assert.True(actual == exitCode, $"Exit code {actual}: {Cli.Error}{Cli.Output}");
        var words = string.Join(' ', Cli.Output.Split((char[]?)null, RemoveEmptyEntries));
        Assert.Contains(MongoDriver.NoRouter, words);
        Assert.DoesNotContain(router.Commands.Heads, head => head.Verb is "create" or "insert" or "update" or "aggregate" or "bulkWrite");
    }

    [Theory]
    [InlineData(null, "change stream")]
    [InlineData(DocumentErrors.NamespaceNotFound, "change stream")]
    [InlineData(DocumentErrors.CommandNotSupported, "polling, for the server refuses change streams")]
    public async Task Results_say_how_the_server_lets_processes_wake_each_other_up(int? refusal, string way)
    {
        await using var server = StandIn();
        if (refusal is { } code)
            server.Commands.Faults.Enqueue(
                new("aggregate", StandInReplies.Error(new(code, "as the test wishes", isTransient: false), inTransaction: false))
            );

        var provision = await MeasuredMongoDb.ProvideAsync(
            new() { ConnectionString = server.ConnectionString, AcceptsForeignData = true },
            NullLogger.Instance,
            Token
        );

        var provided = Assert.IsType<BackendProvision.Provided>(provision);
        await using var backend = provided.Backend;
        Assert.Equal([$"wake-up of other processes: {way}"], backend.Description.Capabilities);
    }

    /// <summary>All that is asked is answered without DocumentDB, so that none is needed.</summary>
    private static MongoStandInServer StandIn(params StandInFault[] faults)
    {
        var server = new MongoStandInServer("Host=127.0.0.1;Port=1;Timeout=2", StandInReplies.WireVersionOf80);
        string[] answered = ["getDefaultRWConcern", "getParameter", "dbStats"];
        foreach (var fault in faults.Concat(answered.Select(static verb => new StandInFault(verb, StandInReplies.Ok()))))
            server.Commands.Faults.Enqueue(fault);
        return server;
    }
}

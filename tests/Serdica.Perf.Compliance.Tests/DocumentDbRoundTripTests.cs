namespace Serdica.Perf.Compliance;

/// <summary>How often a call waits for DocumentDB, by the driver's own count; docs/decisions/0005 has the figures.</summary>
public sealed class DocumentDbRoundTripTests(DocumentDbFixture fixture)
{
    [Fact]
    public async Task Turn_takes_three_round_trips_and_a_submission_two()
    {
        await using var schema = (DocumentTestSchema)await fixture.CreateSchemaAsync(Token);

        // No other test calls the server by this name: the count is of this test alone.
        var server = new NpgsqlConnectionStringBuilder(schema.ConnectionString) { Host = "localhost" }.ConnectionString;
        await using var database = schema.Open();
        await using var backend = MongoDbWorkflowBackend.OnDocumentDb(server, database.Name);
        using var roundTrips = new PostgreSqlRoundTrips(server);
        await backend.InitializeAsync(Token);

        Assert.Equal((2, 3, 2, 2), await CostsOfAsync(backend, () => roundTrips.Count));
    }

    /// <summary>What a publish of 64 signals costs, their turn, a publish that decides them, and a publish of one signal.</summary>
    internal static async Task<(long Publish, long Turn, long Direct, long Single)> CostsOfAsync(IWorkflowBackend backend, Func<long> count)
    {
        var instances = await backend.StartManyAsync(64);
        return (
            await CostOfAsync(() => backend.SubmitAsync(Publish())),
            await CostOfAsync(async () => Assert.Equal(64, (await backend.TakeAsync()).Count)),
            await CostOfAsync(() => backend.SubmitDirectAsync(Publish())),
            await CostOfAsync(() => backend.SubmitAsync(Publish()[0]))
        );

        Submission[] Publish() => [.. instances.Select(instance => Seam.Publish(instance.Id))];

        async Task<long> CostOfAsync(Func<Task> run)
        {
            var before = count();
            await run();
            return count() - before;
        }
    }
}

namespace Serdica.Perf.Compliance;

/// <summary>A notification says which bucket has work, so that nobody looks at all of them.</summary>
public sealed class CitusHintTests(CitusFixture fixture)
{
    private static readonly ClaimRequest Request = new(10) { OnePart = true, MayPutOff = true };

    [Fact]
    public async Task Process_that_hears_of_a_bucket_claims_there_without_a_look()
    {
        var options = await fixture.NewOptionsAsync(Token);
        await using var schema = CitusFixture.SchemaOf(options);
        await using var sender = schema.Connect();
        await sender.InitializeAsync(Token);

        // The time for the next look never comes.
        await using var receiver = new PostgreSqlWorkflowBackend(options, logger: null, new ManualTimeProvider());
        await using var source = NpgsqlDataSource.Create(options.ConnectionString);
        var instance = await sender.StartAsync();

        // The first wait ends when somebody listens, since what came before is lost.
        await receiver.WaitForWorkAsync(HangGuard.Limit, Token);
        var heard = receiver.WaitForWorkAsync(HangGuard.Limit, Token);
        await sender.SubmitAsync(Seam.Publish(instance.Id));
        await sender.NotifyWorkAsync(Token);
        await heard;
        Assert.Equal(1, (await ProcessAsync(receiver)).Signals);

        // A look fails from here on, and every bucket may then have something.
        await sender.SubmitAsync(Seam.Publish(instance.Id));
        await using (var hide = source.CreateCommand($"alter table {options.Schema}.bucket rename to hidden"))
            await hide.ExecuteNonQueryAsync(Token);
        heard = receiver.WaitForWorkAsync(HangGuard.Limit, Token);
        await sender.NotifyWorkAsync(Token);
        await heard;

        Assert.Equal(new ProcessOutcome(1), await ProcessAsync(receiver));

        // What nobody has hinted is found bucket by bucket.
        await sender.SubmitAsync(Seam.Publish(instance.Id));
        Assert.Equal(1, (await ProcessAsync(receiver)).Signals);
    }

    private static Task<ProcessOutcome> ProcessAsync(IWorkflowBackend receiver) => receiver.ProcessAsync(Request, Seam.Count, Token);
}

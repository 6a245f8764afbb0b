namespace Serdica.Perf.Compliance;

/// <summary>Making the schema, housekeeping, hints.</summary>
public abstract class SchemaCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    private readonly IBackendFixture _fixture = fixture;

    [Fact]
    public async Task Eight_processes_may_make_the_schema_at_the_same_moment()
    {
        await using var schema = await _fixture.CreateSchemaAsync(Token);
        var backends = Enumerable.Range(0, 8).Select(_ => schema.Connect()).ToList();

        await Task.WhenAll(backends.Select(backend => Task.Run(() => backend.InitializeAsync(Token), Token)));

        var instance = Seam.Instance();
        await backends[0].SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id));
        Assert.Equal(["go"], await backends[7].TakeAsync());
        foreach (var backend in backends)
            await backend.DisposeAsync();
    }

    [Fact]
    public async Task Making_the_schema_again_keeps_what_is_there()
    {
        var instance = await Backend.StartAsync();

        await Connect().InitializeAsync(Token);

        Assert.NotNull(await Backend.FindAsync(instance.Id, Token));
    }

    [Fact]
    public async Task Schemas_do_not_see_each_other()
    {
        await using var other = await _fixture.CreateSchemaAsync(Token);
        await using var backend = other.Connect();
        await backend.InitializeAsync(Token);
        await Backend.SubmitAsync(Seam.Start(Seam.Instance("mine")));

        Assert.Null(await backend.FindByKeyAsync("mine", Token));
        Assert.Equal(0, (await backend.TakeCensusAsync(Token)).Total);
    }

    [Fact]
    public async Task Housekeeping_changes_nothing_and_several_may_keep_house()
    {
        var instance = await Backend.StartAsync("go");

        await Task.WhenAll(Backend.MaintainAsync(Token), Connect().MaintainAsync(Token), Connect().MaintainAsync(Token));

        Assert.Equal(["go"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Waiting_for_work_ends_after_its_maximum_without_a_hint() =>
        await Backend.WaitForWorkAsync(FromMilliseconds(30), Token).InTime();

    [Fact]
    public async Task Hint_of_another_process_ends_the_wait()
    {
        Assert.SkipUnless(Backend.Capabilities.CrossProcessHints, $"Backend '{Backend.Name}' hears of no other process.");
        var listener = Connect();

        // The listener subscribes within its wait, so hints are repeated until one is heard. The first wait may end because it has
        // subscribed: what came before is lost. The second ends by a hint.
        for (var wait = 0; wait < 2; wait++)
        {
            var waiting = listener.WaitForWorkAsync(FromMinutes(5), Token);
            await Eventually(
                async () =>
                {
                    await Backend.NotifyWorkAsync(Token);
                    return waiting.IsCompleted;
                },
                "the hint is heard"
            );
            await waiting;
        }
    }

    [Fact]
    public async Task Waiting_for_work_can_be_cancelled()
    {
        using var cancelled = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var waiting = Backend.WaitForWorkAsync(FromMinutes(5), cancelled.Token);

        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.InTime());
    }
}

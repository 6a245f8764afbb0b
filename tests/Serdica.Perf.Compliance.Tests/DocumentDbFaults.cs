namespace Serdica.Perf.Compliance;

/// <summary>What the claims of documents promise when a worker stops in the middle of one.</summary>
public sealed class DocumentDbFaults(DocumentDbFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Instance_of_a_frozen_worker_is_taken_by_another_and_its_own_write_is_refused()
    {
        var instance = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id));
        using var holds = new SemaphoreSlim(0);
        using var mayGoOn = new ManualResetEventSlim();
        var frozen = Task.Run(
            () =>
                Backend.ProcessAsync(
                    10,
                    batch =>
                    {
                        holds.Release();
                        mayGoOn.Wait(Token);
                        return Seam.Count(batch);
                    },
                    Token
                ),
            Token
        );
        await holds.WaitAsync(Token);

        var other = Connect();
        await Eventually(async () => await other.TakeAsync() is ["go"], "another process has taken the signal");
        mayGoOn.Set();

        var outcome = await frozen;
        Assert.Equal((0, true), (outcome.Signals, outcome.Conflict));
        Assert.Equal(1, (await RecordOf(instance.Id)).Version);
    }
}

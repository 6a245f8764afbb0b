namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>A client that repeats what failed, with the keys that make it safe, as the documents ask.</summary>
internal sealed class ShapeClient(WorkflowClient client, HistoryWriter history, string name)
{
    private const int Tries = 20;

    private readonly RecordingClient _recording = new(client, history, name);

    public string Name => name;

    /// <summary>Instances that it has started.</summary>
    public HashSet<Guid> Started { get; } = [];

    public async Task<Guid> StartAsync(ShapeState state)
    {
        var started = await RepeatAsync(() => _recording.StartAsync(ShapedWorkflow.Name, state, $"{name}-start", $"order-{name}"));
        Started.Add(started.Id);
        return started.Id;
    }

    public Task<PublishOutcome> SignalAsync(Guid instance, string signal, string key) =>
        RepeatAsync(() => _recording.SignalAsync(instance, signal, key, new PublishOptions { DedupKey = key }));

    public Task<PublishOutcome> CancelAsync(Guid instance, string key) => RepeatAsync(() => _recording.CancelAsync(instance, key));

    public Task<bool> ReadAsync(Guid instance) =>
        RepeatAsync(async () =>
        {
            await _recording.ReadAsync<ShapeState>(instance);
            return true;
        });

    /// <summary>Records those of its instances that are closed as seen closed.</summary>
    public async Task SeeClosesAsync()
    {
        foreach (var instance in Started)
        {
            if (await RepeatAsync(() => client.GetAsync<ShapeState>(instance)) is { Record.Status: var status } && status.IsClosed())
                await RepeatAsync(() => _recording.WaitForCloseAsync(instance));
        }
    }

    private static async Task<T> RepeatAsync<T>(Func<Task<T>> call)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                return await call();
            }
            catch (WorkflowBackendException e) when (e.IsTransient && tries < Tries)
            {
                // At once: no time passes in a simulation unless the scheduler says so.
            }
        }
    }
}

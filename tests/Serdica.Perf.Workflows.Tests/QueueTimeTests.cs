namespace Serdica.Perf.Workflows.Tests;

public sealed class QueueTimeTests
{
    /// <summary>No other test of this process has a signal that waits 67 minutes.</summary>
    private static readonly TimeSpan Wait = FromMinutes(67);

    [Fact]
    public async Task The_time_of_a_signal_in_the_queue_counts_from_when_it_was_due_until_its_claim()
    {
        var told = new ConcurrentQueue<double>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument is { Meter.Name: WorkflowMetrics.Meter, Name: WorkflowMetrics.QueueTime })
                listener.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>((_, seconds, _, _) => told.Enqueue(seconds));
        listener.Start();
        var clock = new ManualTimeProvider();
        var definition = Workflow.Define<Tally>("queued").WaitFor<int>("go", static (tally, value) => tally.Numbers.Add(value)).Build();
        await using var backend = new InMemoryWorkflowBackend(clock);
        await using var host = new WorkflowHost(backend, new([definition]), time: clock);
        var instance = await host.Client.StartAsync("queued", new Tally(), cancellationToken: Token);
        var closed = host.Client.WatchClose(instance.Id);
        await host.Client.SignalAsync(instance.Id, "go", 1, new() { Delay = FromMinutes(3) }, Token);

        clock.Advance(FromMinutes(3) + Wait);
        await host.StartAsync(Token);
        await closed.WaitAsync(Token);
        await host.StopAsync(Token);

        Assert.Contains(Wait.TotalSeconds, told);
    }
}

namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class RoundtripPhasesTests
{
    private static readonly TimeSpan Held = FromMilliseconds(300);

    /// <summary>A store that holds each submission makes its own phase long, and no other.</summary>
    [Fact]
    public async Task Each_phase_begins_where_the_one_before_it_ends()
    {
        var stored = new ConcurrentQueue<long>();
        var backend = new MutantBackend(Mutation.None, async () =>
        {
            await Task.Delay(Held, Token);
            stored.Enqueue(Stopwatch.GetTimestamp());
        });
        await using var store = new TestStore(backend);
        var scenario = ScenarioCatalog.Find("signal-roundtrip-latency-serial")!;
        await using var workload = scenario.CreateWorkload(store, scenario.Parameters);
        await workload.OpenAsync(Token);
        var operations = workload.CreateOperations(1, warmUp: false);
        await operations.PrepareAsync(Token);

        await await operations.LaunchAsync(0, Token);

        // The start, then the signal.
        var times = stored.ToArray();
        Assert.Equal(2, times.Length);
        AssertWithin(PhaseNames.Start, Held.TotalMilliseconds * 0.9, double.MaxValue);
        AssertWithin(PhaseNames.SignalPublish, Held.TotalMilliseconds * 0.9, Stopwatch.GetElapsedTime(times[0]).TotalMilliseconds);
        AssertWithin(PhaseNames.SignalToCompletion, 0, Stopwatch.GetElapsedTime(times[1]).TotalMilliseconds);

        void AssertWithin(string phase, double leastMs, double mostMs)
        {
            var recorded = Assert.Single(operations.Phases.Snapshot(), entry => entry.Key == phase).Value.Summarize();

            // The histogram rounds by less than a percent.
            Assert.InRange(recorded.MaxMs!.Value, leastMs, mostMs * 1.01);
        }
    }
}

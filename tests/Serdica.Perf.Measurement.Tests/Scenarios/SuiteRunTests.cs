namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class SuiteRunTests
{
    /// <summary>It would be collected, and copied, at the cost of the next scenario.</summary>
    [Fact]
    public async Task Store_of_a_scenario_is_out_of_memory_when_the_next_one_begins()
    {
        using var root = new TemporaryFolder();
        var stores = new List<WeakReference>();
        var left = new List<int>();
        await using var backend = new MemoryBackend(() =>
        {
            left.Add(stores.Count(store => store.IsAlive));
            var next = new InMemoryWorkflowBackend();
            stores.Add(new WeakReference(next));
            return next;
        });
        var suite = await SuiteRun.BeginAsync(
            new()
            {
                OutputRoot = root.Path,
                Backends = "in-memory",
                Tier = "test",
                Command = "test",
                FsyncProbe = TimeSpan.Zero,
                Environment = new() { SourceDirectory = root.Path },
            },
            new SilentObserver(),
            Token
        );

        for (var repeat = 1; repeat <= 5; repeat++)
        {
            var result = await suite.MeasureAsync(
                backend,
                ScenarioCatalog.Find("signal-roundtrip-throughput-parallel")!,
                new RunOptions { WarmUp = 0 },
                repeat,
                Token
            );
            Assert.Equal(ScenarioStatus.Passed, result.Status);
            Assert.Equal(result.Counts.Started, result.GeneratorLag!.Count);
        }

        // The thread that ended one may have been interrupted before it had let go.
        Assert.Equal(5, left.Count);
        Assert.InRange(left.Sum(), 0, 3);
    }
}

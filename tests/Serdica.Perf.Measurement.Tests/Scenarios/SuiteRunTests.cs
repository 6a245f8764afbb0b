namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class SuiteRunTests : FolderTests
{
    /// <summary>It would be collected, and copied, at the cost of the next scenario.</summary>
    [Fact]
    public async Task Store_of_a_scenario_is_out_of_memory_when_the_next_one_begins()
    {
        var stores = new List<WeakReference>();
        var left = new List<int>();
        await using var backend = new MemoryBackend(() =>
        {
            left.Add(stores.Count(store => store.IsAlive));
            var next = new InMemoryWorkflowBackend();
            stores.Add(new WeakReference(next));
            return next;
        });
        var (suite, _) = await LoadTestTests.BeginAsync(Root);

        for (var repeat = 1; repeat <= 5; repeat++)
        {
            var result = await MeasureAsync(suite, backend, repeat);
            Assert.Equal(ScenarioStatus.Passed, result.Status);
            Assert.Equal(result.Counts.Started, result.GeneratorLag!.Count);
        }

        // The thread that ended one may have been interrupted before it had let go.
        Assert.Equal(5, left.Count);
        Assert.InRange(left.Sum(), 0, 3);
    }

    /// <summary>The server may go away during a measurement or after its last figure.</summary>
    [Fact]
    public async Task A_store_that_remains_costs_no_result_and_hides_no_failure()
    {
        var observer = new SilentObserver();
        var (suite, _) = await LoadTestTests.BeginAsync(Root, observer: observer);
        await using var backend = new MemoryBackend(storesRemain: true);
        var load = new LoadProfile { Name = "load", WarmUp = TimeSpan.Zero, Steps = [new() { Name = "users", Kind = LoadKind.Closed }] };
        var queue = new QueuePlan { Duration = FromMilliseconds(50), WarmUp = TimeSpan.Zero };

        Assert.Equal(ScenarioStatus.Passed, (await MeasureAsync(suite, backend, 1)).Status);
        await Assert.ThrowsAsync<TimeoutException>(() =>
            new LoadTest(suite, backend, load, LoadWork.Of(load))
            {
                Ceiling = 1,
                BeforeEachStep = _ => throw new TimeoutException(),
            }.RunAsync(Token)
        );
        Assert.NotEqual(0, (await new QueueTest(suite, backend, queue).RunAsync("serdica-perf queue", Token)).Written);
        Assert.Equal(3, observer.Notes.Count(note => note.EndsWith("lists it. The server is gone.")));
    }

    /// <summary>Reasons quote what servers and drivers say.</summary>
    [Fact]
    public async Task Reasons_are_written_without_the_secrets_that_they_quote()
    {
        const string Reason = "No answer from Host=db;Password=s3cret;Port=5432.";
        var (suite, _) = await LoadTestTests.BeginAsync(Root);

        await suite.ProvideAsync(
            new("postgresql", _ => Task.FromResult<BackendProvision>(new BackendProvision.Unavailable(Reason))),
            Token
        );
        var failed = SampleRun.Serial with { Status = ScenarioStatus.Failed, FailureReasons = [Reason] };
        suite.Record(new(failed, new Dictionary<string, LatencyHistogram>()));
        suite.Abort(Reason);
        suite.End();

        var written = await File.ReadAllTextAsync(Path.Combine(suite.Folder.Path, RunFolder.SummaryFile), Token);
        Assert.Equal(4, written.Split("Host=db;").Length);
        Assert.DoesNotContain("s3cret", written);
    }

    private static Task<ScenarioResult> MeasureAsync(SuiteRun suite, IMeasuredBackend backend, int repeat) =>
        suite.MeasureAsync(backend, ScenarioCatalog.Find("signal-roundtrip-throughput-parallel")!, new() { WarmUp = 0 }, repeat, Token);
}

namespace Serdica.Perf.Benchmarks;

/// <summary>
/// What does one whole operation cost in the engine: start, signal, resumed by a worker, completed, its caller told; on the
/// in-memory backend, by 256 callers?
/// </summary>
public class RoundtripBenchmarks
{
    private const int Callers = 256;

    /// <summary>An iteration of 0.1 s and more: in a shorter one, waking up the threads is a good part.</summary>
    private const int OperationsPerCaller = 256;

    private WorkflowHost _host = null!;
    private InMemoryWorkflowBackend _backend = null!;

    /// <summary>A fresh backend for each iteration: what has completed stays in memory and would slow the next one down.</summary>
    [IterationSetup]
    public void Setup()
    {
        _backend = new InMemoryWorkflowBackend();
        _host = new WorkflowHost(_backend, new WorkflowRegistry([Definitions.Roundtrip]), new WorkflowOptions { Workers = 2 });
        _host.StartAsync(CancellationToken.None).GetAwaiter().GetResult();
    }

    [IterationCleanup]
    public void Cleanup()
    {
        _host.StopAsync(CancellationToken.None).GetAwaiter().GetResult();
        _backend.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    [Benchmark(OperationsPerInvoke = Callers * OperationsPerCaller)]
    public Task Roundtrip() => Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => Task.Run(CallAsync)));

    private async Task CallAsync()
    {
        for (var i = 0; i < OperationsPerCaller; i++)
        {
            var started = await _host.Client.StartAsync(Definitions.Roundtrip, new Counter());
            var closed = _host.Client.WatchClose(started.Id);
            await _host.Client.SignalAsync(started.Id, "go", 1);
            await closed;
        }
    }
}

namespace Serdica.Perf.Workflows.Tests;

public sealed class WorkLoopTests
{
    /// <summary>
    /// No poll comes within the time of a test, and no hint: the worker would sleep for ever. After a first conflict no time passes.
    /// </summary>
    [Theory]
    [InlineData(0, false)]
    [InlineData(1, false)]
    [InlineData(0, true)]
    [InlineData(256, false)]
    public async Task What_a_look_has_left_is_looked_for_when_it_is_due(int found, bool isConflict)
    {
        var time = isConflict ? new ManualTimeProvider() : TimeProvider.System;
        await using var backend = new InMemoryWorkflowBackend();
        await using var hints = new WorkHints(backend, time);
        var options = new WorkflowOptions { Workers = 1, MaxPollInterval = FromDays(1) };
        await using var loop = new WorkLoop(backend, hints, options, new(), time, NullLogger.Instance);
        using var worker = new Worker(new ProcessOutcome(found, isConflict, found < options.ClaimBatch ? FromMilliseconds(1) : null));

        loop.Start(() => worker);

        await worker.SecondLook.WaitAsync(HangGuard.Limit, Token);
    }

    [Fact]
    public async Task Loop_may_be_disposed_of_twice()
    {
        await using var backend = new InMemoryWorkflowBackend();
        await using var hints = new WorkHints(backend, TimeProvider.System);
        await using var loop = new WorkLoop(backend, hints, new(), new(), TimeProvider.System, NullLogger.Instance);

        await loop.DisposeAsync();
    }

    [Fact]
    public void Pauses_after_failures_grow_to_five_seconds() =>
        Assert.Equal([RetryPolicy.Default.FirstDelay, FromSeconds(5), FromSeconds(5)], new[] { 1, 10, 1_000 }.Select(WorkLoop.PauseAfter));

    private sealed class Worker(ProcessOutcome first) : IWorker
    {
        private readonly TaskCompletionSource _second = new();
        private bool _hasLooked;

        public Task SecondLook => _second.Task;

        public bool WantsMore => false;

        public int SignalsPutBack => 0;

        public TimeSpan LongestWait => TimeSpan.Zero;

        public bool LeavesWork => false;

        public Task<ProcessOutcome> LookAsync(CancellationToken cancellationToken)
        {
            if (_hasLooked)
                _second.TrySetResult();
            var outcome = _hasLooked ? new ProcessOutcome(0) : first;
            _hasLooked = true;
            return Task.FromResult(outcome);
        }

        public void Committed() { }

        public bool Failed(Exception error) => false;

        public void Forget() { }

        public void Dispose() { }
    }
}

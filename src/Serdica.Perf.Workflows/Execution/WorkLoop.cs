namespace Serdica.Perf.Workflows;

/// <summary>
/// How workers find work: they poll, sleep until a hint of this process, of another process or of a timer, and poll again;
/// at intervals they poll without a hint, because hints may be lost. No error ends a worker.
/// </summary>
internal sealed class WorkLoop(
    IWorkflowBackend backend,
    WorkHints hints,
    WorkflowOptions options,
    CounterSet counters,
    TimeProvider time,
    ILogger logger
) : IAsyncDisposable
{
    private static readonly TimeSpan LongestPause = FromSeconds(5);

    /// <summary>The first conflict is tried again at once; those that go on must not keep the database busy.</summary>
    private static readonly RetryPolicy AfterConflicts = new()
    {
        FirstDelay = FromMilliseconds(2),
        MaxDelay = FromSeconds(1),
    };

    private readonly CancellationTokenSource _stop = new();
    private Task[] _loops = [];

    /// <summary>Set when the loop is to end.</summary>
    public CancellationToken Stopping => _stop.Token;

    public void Start(Func<IWorker> createWorker) =>
        _loops = [Task.Run(ListenAsync), .. Enumerable.Range(0, options.Workers).Select(_ => Task.Run(() => WorkAsync(createWorker())))];

    /// <summary>Takes nothing new, and waits until what was claimed is committed.</summary>
    public async Task StopAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_loops).ConfigureAwait(false);
        hints.WorkersStopped();
    }

    public async ValueTask DisposeAsync() => await StopAsync().ConfigureAwait(false);

    private async Task WorkAsync(IWorker worker)
    {
        using var owned = worker;
        var failures = 0;
        var conflicts = 0;
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                conflicts = await TurnAsync(worker).ConfigureAwait(false) ? conflicts + 1 : 0;
                failures = 0;
                if (conflicts > 1)
                    await PauseAsync(AfterConflicts.DelayAfter(conflicts - 1, Random.Shared.NextDouble())).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                break;
            }
            catch (Exception e)
            {
                // The outermost loop of a worker: whatever it is, the worker must live on.
                if (worker.Failed(e))
                    failures = 0;
                worker.Forget();
                if (e is not DecideTimeoutException)
                    Interlocked.Increment(ref counters.BackendFailures);
                var pause = PauseAfter(++failures);
                Log.WorkerFailed(logger, pause.TotalMilliseconds, DriverErrors.TextOf(e), e);
                await PauseAsync(pause).ConfigureAwait(false);
            }
        }

        worker.Forget();
    }

    /// <summary>Polls once and handles what it finds; then sleeps, unless there is or may be more.</summary>
    /// <returns>Whether it met a conflict.</returns>
    private async Task<bool> TurnAsync(IWorker worker)
    {
        var began = hints.BeginLook();
        var (found, putOff) = (false, false);
        try
        {
            var outcome = await worker.LookAsync(_stop.Token).ConfigureAwait(false);
            putOff = outcome.IsPutOff;
            found = outcome.Signals > 0 || outcome.Conflict;
            Follow(outcome, worker);
            if (outcome.Conflict || worker.WantsMore)
                return outcome.Conflict;

            // Still counted as looking, or what comes meanwhile would wake another worker.
            if (outcome.Signals > 1 && options.Linger > TimeSpan.Zero)
                await Task.Delay(options.Linger, time, _stop.Token).ConfigureAwait(false);
        }
        finally
        {
            hints.EndLook(began, found, putOff, worker.LongestWait, worker.LeavesWork);
        }

        if (hints.TrySleep(began, found) is { } sleep)
        {
            await sleep.WaitAsync(_stop.Token).ConfigureAwait(false);

            // After other threads of this process that are ready to run: the same poll finds what they publish.
            await Task.Yield();
        }

        return false;
    }

    private void Follow(ProcessOutcome outcome, IWorker worker)
    {
        if (outcome.Conflict)
        {
            worker.Forget();
            Interlocked.Increment(ref counters.Conflicts);
            Telemetry.Conflicts.Add(1);
            return;
        }

        if (outcome.Signals == 0)
        {
            if (!outcome.IsPutOff)
                Interlocked.Increment(ref counters.EmptyClaims);
            if (outcome.NextDue is { } nextDue)
                hints.WorkDueIn(nextDue);
            return;
        }

        // A full batch: there is more than one worker's share.
        if (outcome.Signals >= options.ClaimBatch)
            hints.WakeOne();

        // A batch that was cut by its bytes has left something that is due.
        if (outcome.NextDue is { } rest)
            hints.WorkDueIn(rest);
        Interlocked.Increment(ref counters.Batches);
        Interlocked.Add(ref counters.Signals, outcome.Signals - worker.SignalsPutBack);
        worker.Committed();
    }

    /// <summary>Wakes a worker at each hint from outside, and now and then without one: hints may be lost.</summary>
    private async Task ListenAsync()
    {
        var poll = backend.Capabilities.CrossProcessHints ? options.MaxPollInterval : options.MaxPollInterval / 10;
        var failed = false;
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                var wait = hints.IsLocal ? Task.Delay(poll, time, _stop.Token) : backend.WaitForWorkAsync(poll, _stop.Token);
                await wait.ConfigureAwait(false);
                failed = false;
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                // Once for each failure that lasts: the polling that replaces it goes on for as long.
                if (!failed)
                    Log.ListenerFailed(logger, DriverErrors.TextOf(e), e);
                failed = true;
                await PauseAsync(poll).ConfigureAwait(false);
            }

            hints.WorkHinted();
        }
    }

    internal static TimeSpan PauseAfter(int failures)
    {
        var pause = RetryPolicy.Default.DelayAfter(failures, 0);
        return pause < LongestPause ? pause : LongestPause;
    }

    private async Task PauseAsync(TimeSpan pause)
    {
        try
        {
            await Task.Delay(pause, time, _stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Stopping: the loops see it by themselves.
        }
    }
}

namespace Serdica.Perf.Workflows;

/// <summary>Runs leased activities outside of any transaction, keeps their leases, and reports their results.</summary>
internal sealed class ActivityRunner(
    IWorkflowBackend backend,
    WorkflowClient client,
    WorkflowOptions options,
    CounterSet counters,
    TimeProvider time,
    ILogger logger
) : IAsyncDisposable
{
    /// <summary>How long cancelled code, or a report at a stop, may take to end before its lease is left to run out.</summary>
    private static readonly TimeSpan CancelledGrace = FromSeconds(1);

    /// <summary>
    /// Activities whose code may run at the same time before its first wait. If more code that blocks its thread waited for threads of
    /// the pool, the engine's own work would wait behind it: with 1,000 activities that blocked for 100 ms, on two cores, leases ran
    /// out and commits took longer than 10 s.
    /// </summary>
    private const int MostEntering = 16;

    private static readonly RetryPolicy ReportRetry = new() { MaxDelay = FromSeconds(2) };

    private readonly ConcurrentDictionary<ActivityLease, RunningActivity> _running = new();
    private readonly ConcurrentBag<ActivityLease> _cutOff = [];
    private readonly SemaphoreSlim _entering = new(MostEntering);
    private SuspectedLeases? _suspected;
    private int _reserved;
    private bool _isCrowded;

    /// <summary>There are, or were, more activities due than places.</summary>
    public bool IsCrowded
    {
        get => Volatile.Read(ref _isCrowded);
        set => Volatile.Write(ref _isCrowded, value);
    }

    public int FreePlaces => Math.Max(0, options.MaxActivities - Volatile.Read(ref _reserved));

    /// <summary>The database has a third of the lease's length for each extension; then the next one is tried.</summary>
    private TimeSpan ExtensionLimit => options.ActivityLease / 3;

    /// <summary>
    /// How long a lease holds by this host's clock after the call that took or extended it has started: a tenth is spared.
    /// </summary>
    public TimeSpan LocalHold => options.ActivityLease * 0.9;

    /// <summary>Takes a place for an activity; false when the host runs as many as it may.</summary>
    public bool TryReserve()
    {
        if (Interlocked.Increment(ref _reserved) <= options.MaxActivities)
            return true;
        Interlocked.Decrement(ref _reserved);
        return false;
    }

    /// <summary>Takes places before a claim, so that workers that claim at the same moment do not count on the same ones.</summary>
    /// <returns>How many of them it got.</returns>
    public int ReserveUpTo(int places)
    {
        var reserved = 0;
        while (reserved < places && TryReserve())
            reserved++;
        return reserved;
    }

    /// <summary>
    /// Takes a place without a claim; false also while stored activities wait for one: they are older, and the workers take them in
    /// turns with everything else.
    /// </summary>
    public bool TryReserveAhead()
    {
        if (IsCrowded)
            return false;
        if (TryReserve())
            return true;
        IsCrowded = true;
        return false;
    }

    public void Release(int places)
    {
        if (places == 0)
            return;
        Interlocked.Add(ref _reserved, -places);
        if (IsCrowded)
            client.Hints.LookAgain();
    }

    /// <summary>Runs an activity that a place was reserved for.</summary>
    /// <param name="leasedAt">The clock's reading before its lease was written.</param>
    public void Run(LeasedActivity activity, long leasedAt)
    {
        var running = new RunningActivity(activity, time);
        _running[activity.Lease] = running;
        running.HoldFor(LocalHold - time.GetElapsedTime(leasedAt));
        running.Task = RunAsync(running);
    }

    /// <summary>Activities that were leased to this host in a commit without an answer: they run if the lease is in the database.</summary>
    /// <param name="leasedAt">The clock's reading before it.</param>
    public void Suspect(IEnumerable<LeasedActivity> leased, long leasedAt)
    {
        var suspects = leased.ToList();
        if (suspects.Count == 0)
            return;
        LazyInitializer.EnsureInitialized(ref _suspected, () => new SuspectedLeases(backend, this, time)).Add(suspects, leasedAt);
    }

    /// <summary>Runs an activity whose lease turned out to be in the database, unless somebody else has it by now.</summary>
    /// <returns>False when there is no place for it yet; its lease holds.</returns>
    public async Task<bool> TryRunFoundAsync(LeasedActivity activity, CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();
        var lost = await ExtendAsync([activity.Lease], options.ActivityLease, ExtensionLimit, cancellationToken).ConfigureAwait(false);
        if (lost.Count > 0)
            return true;
        if (!TryReserve())
            return false;
        Run(activity, started);
        return true;
    }

    /// <summary>Extends the leases of all running activities; one that is lost is cancelled.</summary>
    /// <exception cref="TimeoutException">The database has not answered in time.</exception>
    public async Task ExtendLeasesAsync(CancellationToken cancellationToken)
    {
        if (_running.IsEmpty)
            return;

        // One part of the store that does not answer, on a node that is lost, must not end the activities of the others.
        var parts = backend.Capabilities.Parts;
        await Task.WhenAll(
                _running
                    .Keys.GroupBy(lease => SortableId.SlotOf(lease.InstanceId) % parts)
                    .Select(part => ExtendLeasesAsync([.. part], cancellationToken))
            )
            .ConfigureAwait(false);
    }

    private async Task ExtendLeasesAsync(List<ActivityLease> leases, CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();
        var lost = await ExtendAsync(leases, options.ActivityLease, ExtensionLimit, cancellationToken).ConfigureAwait(false);
        var hold = LocalHold - time.GetElapsedTime(started);
        foreach (var lease in leases.Except(lost))
        {
            if (_running.TryGetValue(lease, out var running))
                running.HoldFor(hold);
        }

        foreach (var lease in lost)
        {
            // A report withdraws the lease itself; if somebody else has it, the report is refused.
            if (!_running.TryGetValue(lease, out var running) || running.HasEnded)
                continue;
            Log.LeaseLost(logger, running.Activity.Step, lease.InstanceId, lease.Token);
            running.Lose();
        }
    }

    public async ValueTask DisposeAsync() => await StopAsync(CancellationToken.None).ConfigureAwait(false);

    /// <summary>
    /// Waits for the running activities, cancels those that take longer than the drain time, and gives back the leases of
    /// those that have ended by it, so that other hosts may run them at once.
    /// </summary>
    /// <param name="cutShort">Ends the wait before the drain time has passed.</param>
    public async Task StopAsync(CancellationToken cutShort)
    {
        if (_suspected is not null)
            await _suspected.DisposeAsync().ConfigureAwait(false);
        var all = Task.WhenAll(_running.Values.Select(running => running.Task));
        await Task.WhenAny(all, Task.Delay(options.DrainTimeout, time, cutShort)).ConfigureAwait(false);
        foreach (var running in _running.Values)
            running.Cancel();
        await all.ConfigureAwait(false);
        await GiveBackAsync([.. _cutOff]).ConfigureAwait(false);
    }

    /// <summary>Bounded in time also where the backend hears of no cancellation.</summary>
    private async Task<IReadOnlyList<ActivityLease>> ExtendAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        TimeSpan limit,
        CancellationToken cancellationToken
    )
    {
        var bounded = new CancellationTokenSource();
        var extension = backend.ExtendLeasesAsync(leases, duration, bounded.Token);
        extension.Forget();
        try
        {
            return await extension.WaitAsync(limit, time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            throw new TimeoutException($"The database has not answered within {limit.TotalSeconds:0.###} s.");
        }
        finally
        {
            // Not waited for: a driver may ask a server to cancel the statement that does not answer.
            bounded.CancelAsync().Forget();
        }
    }

    private async Task GiveBackAsync(List<ActivityLease> leases)
    {
        if (leases.Count == 0)
            return;
        try
        {
            await ExtendAsync(leases, TimeSpan.Zero, options.SubmitTimeout, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // The host stops all the same; what was not given back runs out by itself.
            Log.ReleaseFailed(logger, leases.Count, DriverErrors.TextOf(e), e);
            return;
        }

        try
        {
            if (backend.Capabilities.CrossProcessHints)
                await backend.NotifyAllAsync(CancellationToken.None).WaitAsync(options.SubmitTimeout, time).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // Only a hint: the others poll as well.
        }
    }

    private async Task RunAsync(RunningActivity running)
    {
        try
        {
            var report = await TryRunAsync(running).ConfigureAwait(false);
            if (report is not null)
                await ReportAsync(running, report).ConfigureAwait(false);
            else if (running.Expired)
                Log.LeaseExpired(logger, running.Activity.Step, running.Activity.Lease.InstanceId, running.Activity.Lease.Token);
        }
        finally
        {
            _running.TryRemove(running.Activity.Lease, out _);
            Release(1);
            running.Dispose();
        }
    }

    /// <returns>The report; <see langword="null"/> when the attempt was cut off and counts for nobody.</returns>
    private async Task<ActivityReport?> TryRunAsync(RunningActivity running)
    {
        if (!await MayEnterAsync(running).ConfigureAwait(false))
            return null;
        var (lease, definition, stepName, businessKey) = running.Activity;
        var step = definition.FindActivity(stepName)!;
        using var span = new QuietSpan("workflow.activity", "workflow.step", stepName);
        var limit = CancellationTokenSource.CreateLinkedTokenSource(running.Cancellation);
        Interlocked.Increment(ref counters.ActivityAttempts);
        var context = new ActivityContext(lease.InstanceId, businessKey, lease.ActivityId, lease.Token, limit.Token);

        // Beside this one: code that blocks its thread must not hold up the limit, nor the stop of the host.
        var hasLeft = 0;
        var attempt = Task.Run(
            () =>
            {
                try
                {
                    return running.MayBegin()
                        ? step.RunAsync(running.Activity.State, context)
                        : Task.FromCanceled<byte[]>(running.Cancellation);
                }
                finally
                {
                    Leave();
                }
            },
            CancellationToken.None
        );
        attempt.Forget();
        try
        {
            var result = await attempt.WaitAsync(step.Options.Timeout, time, running.Cancellation).ConfigureAwait(false);
            if (result.Length > options.MaxPayloadBytes)
                throw new PayloadTooLargeException($"the result of activity '{stepName}'", result.Length, options.MaxPayloadBytes);
            Telemetry.Activities.Add(1, new KeyValuePair<string, object?>("outcome", "completed"));
            return new ActivityReport { Activity = lease.ActivityId, Result = result };
        }
        catch (Exception) when (running.Cancellation.IsCancellationRequested)
        {
            await NoteCutOffAsync(running, attempt).ConfigureAwait(false);
            return null;
        }
        catch (Exception e)
        {
            // The wait for it is over, whether it has ended or not, and it gets to know.
            limit.CancelAsync().Forget();
            Interlocked.Increment(ref counters.ActivityFailures);
            Telemetry.Activities.Add(1, new KeyValuePair<string, object?>("outcome", "failed"));
            Log.ActivityFailed(logger, stepName, lease.InstanceId, lease.Token, e);
            return new ActivityReport
            {
                Activity = lease.ActivityId,
                Error = ActivityReport.Describe(e),
                Final = e is PayloadTooLargeException || step.Options.Retry.GivesUpOn(e),
            };
        }
        finally
        {
            // Code that never ends takes no place from others when its time is over.
            Leave();
        }

        void Leave()
        {
            if (Interlocked.Exchange(ref hasLeft, 1) == 0)
                _entering.Release();
        }
    }

    /// <returns>False when the attempt was cut off before its code could begin.</returns>
    private async ValueTask<bool> MayEnterAsync(RunningActivity running)
    {
        try
        {
            await _entering.WaitAsync(running.Cancellation).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            if (!running.Lost && !running.Expired)
                _cutOff.Add(running.Activity.Lease);
            return false;
        }

        if (running.MayBegin() || !running.Expired)
            return true;
        _entering.Release();
        return false;
    }

    /// <summary>Only code that has ended gives its lease back: the next attempt must not run beside it.</summary>
    private async Task NoteCutOffAsync(RunningActivity running, Task attempt)
    {
        if (running.Lost || running.Expired)
            return;
        await InGraceAsync(attempt).ConfigureAwait(false);
        if (attempt.IsCompleted)
            _cutOff.Add(running.Activity.Lease);
    }

    private Task InGraceAsync(Task task) => Task.WhenAny(task, Task.Delay(CancelledGrace, time, CancellationToken.None));

    /// <summary>
    /// Writes the report, again and again while the lease holds: what the activity did is done, and would be done twice.
    /// Each try has an id of its own, for one without an answer may be durable; the fencing token refuses the second.
    /// </summary>
    private async Task ReportAsync(RunningActivity running, ActivityReport report)
    {
        running.End();
        var activity = running.Activity;
        for (var failures = 1; ; failures++)
        {
            Task? written = null;
            try
            {
                written = client.PublishAsync(new SignalSubmission(ToSignal(activity, report)), CancellationToken.None);
                await written.WaitAsync(running.Cancellation).ConfigureAwait(false);
                return;
            }
            catch (Exception e)
            {
                written?.Forget();
                if (running.Cancellation.IsCancellationRequested || e is ObjectDisposedException)
                {
                    // The host stops, and the commit may be about to end.
                    if (written is not null && !running.Lost)
                        await InGraceAsync(written).ConfigureAwait(false);
                    if (written is { IsCompletedSuccessfully: true })
                        return;
                    Log.ReportLost(logger, activity.Step, activity.Lease.InstanceId, DriverErrors.TextOf(e), e);
                    if (!running.Lost)
                        _cutOff.Add(activity.Lease);
                    return;
                }

                var pause = ReportRetry.DelayAfter(failures, Random.Shared.NextDouble());
                Log.ReportDelayed(logger, activity.Step, activity.Lease.InstanceId, pause.TotalMilliseconds, DriverErrors.TextOf(e), e);
                await Task.Delay(pause, time, running.Cancellation).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    private Signal ToSignal(LeasedActivity activity, ActivityReport report) =>
        new()
        {
            Id = SortableId.Next(time.GetUtcNow()),
            InstanceId = activity.Lease.InstanceId,
            Kind = SignalKind.ActivityResult,
            Name = activity.Step,
            Payload = report.Write(),
            Attempt = activity.Lease.Token,
        };
}

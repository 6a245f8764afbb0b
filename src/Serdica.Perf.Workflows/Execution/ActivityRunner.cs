using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Workflows;

/// <summary>Runs leased activities outside of any transaction, keeps their leases, and reports their results.</summary>
internal sealed class ActivityRunner(
    IWorkflowBackend backend,
    WorkflowClient client,
    WorkflowOptions options,
    CounterSet counters,
    TimeProvider time,
    ILogger logger) : IAsyncDisposable
{
    private readonly ConcurrentDictionary<ActivityLease, RunningActivity> _running = new();
    private readonly CancellationTokenSource _stop = new();
    private int _reserved;

    /// <summary>Takes a place for an activity; false when the host runs as many as it may.</summary>
    public bool TryReserve()
    {
        if (Interlocked.Increment(ref _reserved) <= options.MaxActivities)
            return true;
        Interlocked.Decrement(ref _reserved);
        return false;
    }

    public void Release(int places) => Interlocked.Add(ref _reserved, -places);

    /// <summary>Runs an activity that a place was reserved for.</summary>
    public void Run(LeasedActivity activity)
    {
        var running = new RunningActivity(activity, CancellationTokenSource.CreateLinkedTokenSource(_stop.Token));
        _running[activity.Lease] = running;
        running.Task = RunAsync(running);
    }

    /// <summary>Extends the leases of all running activities; one that is lost is cancelled.</summary>
    public async Task ExtendLeasesAsync(CancellationToken cancellationToken)
    {
        if (_running.IsEmpty)
            return;
        var leases = _running.Keys.ToList();
        var lost = await backend.ExtendLeasesAsync(leases, options.ActivityLease, cancellationToken).ConfigureAwait(false);
        foreach (var lease in lost)
        {
            if (!_running.TryGetValue(lease, out var running))
                continue;
            Log.LeaseLost(logger, running.Activity.Step, lease.InstanceId, lease.Token);
            try
            {
                await running.Cancellation.CancelAsync().ConfigureAwait(false);
            }
            catch (ObjectDisposedException)
            {
                // It has ended meanwhile.
            }
        }
    }

    /// <summary>Waits for the running activities, and cancels those that take longer than the drain time.</summary>
    public async ValueTask DisposeAsync()
    {
        var all = Task.WhenAll(_running.Values.Select(running => running.Task));
        await Task.WhenAny(all, Task.Delay(options.DrainTimeout, time, CancellationToken.None)).ConfigureAwait(false);
        await _stop.CancelAsync().ConfigureAwait(false);
        await all.ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task RunAsync(RunningActivity running)
    {
        var activity = running.Activity;
        try
        {
            var report = await TryRunAsync(running).ConfigureAwait(false);
            if (report is not null)
                await ReportAsync(activity, report).ConfigureAwait(false);
        }
        catch (Exception e) when (e is WorkflowBackendException or ObjectDisposedException)
        {
            Log.ReportLost(logger, activity.Step, activity.Lease.InstanceId, e);
        }
        finally
        {
            _running.TryRemove(activity.Lease, out _);
            Release(1);
            running.Cancellation.Dispose();
        }
    }

    /// <returns>The report; <see langword="null"/> when the attempt was cut off and counts for nobody.</returns>
    private async Task<ActivityReport?> TryRunAsync(RunningActivity running)
    {
        var (lease, definition, stepName, businessKey) = running.Activity;
        var step = definition.FindActivity(stepName)!;
        using var span = Telemetry.Source.StartActivity("workflow.activity");
        span?.SetTag("workflow.step", stepName);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(running.Cancellation.Token);
        Interlocked.Increment(ref counters.ActivityAttempts);
        try
        {
            var context = new ActivityContext(lease.InstanceId, businessKey, lease.ActivityId, lease.Token, limit.Token);

            // Beside this one: code that blocks its thread must not hold up the limit, nor the stop of the host.
            var result = await Task.Run(() => step.RunAsync(running.Activity.State, context), CancellationToken.None)
                .WaitAsync(step.Options.Timeout, time, running.Cancellation.Token).ConfigureAwait(false);
            if (result.Length > options.MaxPayloadBytes)
                throw new PayloadTooLargeException($"the result of activity '{stepName}'", result.Length, options.MaxPayloadBytes);
            Telemetry.Activities.Add(1, new KeyValuePair<string, object?>("outcome", "completed"));
            return new ActivityReport { Activity = lease.ActivityId, Result = result };
        }
        catch (Exception) when (running.Cancellation.IsCancellationRequested)
        {
            await limit.CancelAsync().ConfigureAwait(false);
            return null;
        }
        catch (Exception e)
        {
            // The wait for it is over, whether it has ended or not: it is told.
            await limit.CancelAsync().ConfigureAwait(false);
            Interlocked.Increment(ref counters.ActivityFailures);
            Telemetry.Activities.Add(1, new KeyValuePair<string, object?>("outcome", "failed"));
            Log.ActivityFailed(logger, stepName, lease.InstanceId, lease.Token, e);
            return new ActivityReport
            {
                Activity = lease.ActivityId,
                Error = ActivityReport.Describe(e),
                Final = e is PayloadTooLargeException || step.Options.Retry.IsFinal(e),
            };
        }
    }

    private Task<PublishOutcome> ReportAsync(LeasedActivity activity, ActivityReport report)
    {
        var signal = new Signal
        {
            Id = SortableId.Next(time.GetUtcNow()),
            InstanceId = activity.Lease.InstanceId,
            Kind = SignalKind.ActivityResult,
            Name = activity.Step,
            Payload = report.Write(),
            Attempt = activity.Lease.Token,
        };
        return client.PublishAsync(new SignalSubmission(signal), CancellationToken.None);
    }

    private sealed class RunningActivity(LeasedActivity activity, CancellationTokenSource cancellation)
    {
        public LeasedActivity Activity { get; } = activity;

        public CancellationTokenSource Cancellation { get; } = cancellation;

        public Task Task { get; set; } = Task.CompletedTask;
    }
}

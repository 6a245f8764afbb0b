namespace Serdica.Perf.Workflows;

/// <summary>
/// Leases that a commit without an answer has written, or has not. One that is in the database would count as an attempt
/// though nobody runs it. So the database is asked until the lease must have ended: an activity whose lease is there runs.
/// </summary>
internal sealed class SuspectedLeases(IWorkflowBackend backend, ActivityRunner activities, TimeProvider time) : IAsyncDisposable
{
    private static readonly TimeSpan FirstPause = FromMilliseconds(50);

    private static readonly TimeSpan LongestPause = FromSeconds(5);

    private readonly Lock _gate = new();
    private readonly Dictionary<LeasedActivity, long> _suspects = [];
    private readonly CancellationTokenSource _stop = new();
    private Task _search = Task.CompletedTask;
    private bool _isSearching;

    /// <param name="leasedAt">The clock's reading before it.</param>
    public void Add(IEnumerable<LeasedActivity> leased, long leasedAt)
    {
        lock (_gate)
        {
            foreach (var activity in leased)
                _suspects[activity] = leasedAt;
            if (_isSearching || _stop.IsCancellationRequested)
                return;

            // Two searches could each find the same lease, and run its activity twice at once.
            _isSearching = true;
            _search = Task.Run(SearchAsync);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        Task search;
        lock (_gate)
            search = _search;
        await search.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
    }

    private async Task SearchAsync()
    {
        for (var pause = FirstPause; Next() is { Count: > 0 } suspects; pause = Longer(pause))
        {
            // Even one that is not there may come: the commit without an answer may still be under way.
            await Task.Delay(pause, time, _stop.Token).ConfigureAwait(false);
            foreach (var activity in suspects)
            {
                if (await IsSettledAsync(activity).ConfigureAwait(false))
                    Forget(activity);
            }
        }
    }

    /// <summary>Those whose lease may be there and have time left; where there are none, the search has ended.</summary>
    private List<LeasedActivity> Next()
    {
        lock (_gate)
        {
            foreach (var (activity, leasedAt) in _suspects)
            {
                if (time.GetElapsedTime(leasedAt) >= activities.LocalHold)
                    _suspects.Remove(activity);
            }

            _isSearching = _suspects.Count > 0;
            return [.. _suspects.Keys];
        }
    }

    /// <returns>Whether it runs here, or is somebody else's.</returns>
    private async Task<bool> IsSettledAsync(LeasedActivity activity)
    {
        try
        {
            var record = await backend.FindAsync(activity.Lease.InstanceId, _stop.Token).ConfigureAwait(false);
            if (Progress.Read(record?.Progress).Activity is not { } pending || pending.Id != activity.Lease.ActivityId)
                return false;
            if (pending.Attempt < activity.Lease.Token)
                return false;
            if (pending.Token != activity.Lease.Token || pending.Claim != activity.Claim)
                return true;
            if (await activities.TryRunFoundAsync(activity, _stop.Token).ConfigureAwait(false))
                return true;
            Add([activity], time.GetTimestamp());
            return false;
        }
        catch (Exception) when (!_stop.IsCancellationRequested)
        {
            // The database that has not answered the commit may not answer this either: it is asked again.
            return false;
        }
    }

    private void Forget(LeasedActivity activity)
    {
        lock (_gate)
            _suspects.Remove(activity);
    }

    private TimeSpan Longer(TimeSpan pause)
    {
        var longest = activities.LocalHold / 4 < LongestPause ? activities.LocalHold / 4 : LongestPause;
        return pause < longest / 2 ? pause * 2 : longest;
    }
}

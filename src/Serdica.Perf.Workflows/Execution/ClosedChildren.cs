namespace Serdica.Perf.Workflows;

/// <summary>
/// Results of families that are too large for their parent's progress, read from the closed children outside of any
/// transaction, for the turn that takes them. Closed instances do not change, so it does not matter which host reads when.
/// </summary>
internal sealed class ClosedChildren(IWorkflowBackend backend, TimeProvider time, ILogger logger)
{
    /// <summary>A bound for memory: as many families are read or kept at once. The parents of others ask again.</summary>
    internal const int MaxFamilies = 16;

    /// <summary>How long results are kept at least for the turn of their parent, which another host may have done.</summary>
    internal static readonly TimeSpan Kept = FromSeconds(2);

    private static readonly TimeSpan LongestKept = FromMinutes(1);

    /// <summary>Reads at once, of one family.</summary>
    private const int Readers = 4;

    private readonly ConcurrentDictionary<Guid, Task<(InstanceRecord?[] Records, long At)>> _families = [];
    private readonly Lock _gate = new();
    private TimeSpan _kept = Kept;
    private (Guid First, long At)? _probe;
    private bool _isDropping;

    /// <summary>The closed instances in the order of the children; <see langword="null"/> while they are not read.</summary>
    public IReadOnlyList<InstanceRecord?>? Find(ChildFamily family) =>
        _families.TryGetValue(family.First, out var reading) && reading.IsCompletedSuccessfully
            ? reading.GetAwaiter().GetResult().Records
            : null;

    /// <summary>Begins to read, unless that is done or under way, or too many others are.</summary>
    /// <returns>Whether it begins.</returns>
    public bool Read(ChildFamily family)
    {
        lock (_gate)
        {
            Measure(family.First);
            Drop();
            if (_families.Count >= MaxFamilies || _families.ContainsKey(family.First))
                return false;
            var begun = Task.Run(() => ReadAsync(family));
            begun.Forget();
            _families[family.First] = begun;
            if (!_isDropping)
                _ = DropAsync();
            return true;
        }
    }

    /// <summary>The parent has taken the results.</summary>
    public void Forget(ChildFamily family)
    {
        lock (_gate)
        {
            _families.TryRemove(family.First, out _);
            if (_probe?.First == family.First)
                _probe = null;
        }
    }

    /// <summary>Another host may take the results, and nobody may ask for others here.</summary>
    private async Task DropAsync()
    {
        _isDropping = true;
        for (var isEmpty = false; !isEmpty;)
        {
            await Task.Delay(LongestKept, time).ConfigureAwait(false);
            lock (_gate)
            {
                Drop();
                isEmpty = _families.IsEmpty;
                _isDropping = !isEmpty;
            }
        }
    }

    private void Drop()
    {
        foreach (var (first, reading) in _families)
        {
            if (IsOver(reading))
                _families.TryRemove(first, out _);
        }
    }

    /// <summary>
    /// Parents take their turns in a round; results that are kept for less are dropped before their parents come back. A round is the
    /// time in which one of them asks again.
    /// </summary>
    private void Measure(Guid asking)
    {
        var pause = _probe is { } probe ? time.GetElapsedTime(probe.At) : LongestKept;
        if (_probe?.First == asking)
            _kept = FromTicks(Math.Clamp(2 * pause.Ticks, Kept.Ticks, LongestKept.Ticks));
        else if (pause < LongestKept)
            return;
        _probe = (asking, time.GetTimestamp());
    }

    private bool IsOver(Task<(InstanceRecord?[] Records, long At)> reading) =>
        reading.IsCompleted && !(reading.IsCompletedSuccessfully && time.GetElapsedTime(reading.GetAwaiter().GetResult().At) < _kept);

    private async Task<(InstanceRecord?[] Records, long At)> ReadAsync(ChildFamily family)
    {
        try
        {
            var ids = family.ClosingInstances;
            var records = new InstanceRecord?[ids.Count];
            await Parallel
                .ForAsync(0, ids.Count, new ParallelOptions { MaxDegreeOfParallelism = Readers }, async (place, token) =>
                    records[place] = await backend.FindAsync(ids[place], token).ConfigureAwait(false)
                )
                .ConfigureAwait(false);
            return (records, time.GetTimestamp());
        }
        catch (Exception e)
        {
            // The parent's next turn asks again.
            Log.ChildrenNotRead(logger, family.Count, family.First, DriverErrors.TextOf(e), e);
            throw;
        }
    }
}

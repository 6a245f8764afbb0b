namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Open instances as this process wrote them last, so that a signal to one of them can be decided without reading it. An entry is out
/// of date when somebody else has changed the instance since: the stored version then differs, and a write that rests on the entry is
/// refused. All entries are dropped with the server that they were written to.
/// </summary>
/// <remarks>
/// There are two generations. When the newer one has half of the bytes, it becomes the older one, whose entries are dropped.
/// </remarks>
/// <param name="maxBytes">Of all entries.</param>
internal sealed class KnownInstances(long maxBytes, ServerIncarnation server)
{
    /// <summary>Bytes of an entry beside its state and progress: the record, its texts and its place.</summary>
    private const int Overhead = 512;

    private readonly Lock _gate = new();
    private Dictionary<Guid, InstanceRecord> _newer = [];
    private Dictionary<Guid, InstanceRecord> _older = [];
    private long _newerBytes;
    private int _incarnation;
    private volatile bool _isEnabled;

    /// <summary>The server that writes go to.</summary>
    public int Incarnation => server.Current;

    /// <summary>A host decides signals: from now on instances are kept.</summary>
    public void Enable() => _isEnabled = true;

    /// <summary>Takes an instance out, so that only one batch at a time rests on a version.</summary>
    public InstanceRecord? Take(Guid id, int incarnation)
    {
        lock (_gate)
            return incarnation == _incarnation ? TakeOut(id) : null;
    }

    /// <summary>
    /// Instances were committed. Those that are closed are forgotten. Children are not kept, because the commit that closes one has to
    /// read its parent; nor is one that waits for a time, because a decision would be in vain when that has come.
    /// </summary>
    public void Written(int incarnation, IEnumerable<InstanceRecord> instances)
    {
        lock (_gate)
        {
            if (!_isEnabled || incarnation != server.Current)
                return;
            if (incarnation != _incarnation)
                Clear();
            _incarnation = incarnation;
            foreach (var instance in instances)
            {
                var before = TakeOut(instance.Id);
                if (before?.Version > instance.Version)
                    Keep(before);
                else if (!instance.Status.IsClosed() && instance.ParentId is null && !WaitsForTime(instance))
                    Keep(instance);
            }
        }
    }

    /// <summary>Decisions were committed.</summary>
    public void Decided(int incarnation, IEnumerable<Decision> decisions) =>
        Written(incarnation, decisions.Select(static decision => decision.Instance).OfType<InstanceRecord>());

    /// <summary>Instances without a business key were inserted and committed.</summary>
    /// <param name="starts">Of the batch; those with a business key may have found it taken.</param>
    /// <param name="at">The time that the database wrote as that of their creation; null when nothing was inserted.</param>
    public void Started(int incarnation, List<StartSubmission> starts, DateTimeOffset? at)
    {
        if (at is not { } createdAt)
            return;
        var instances = starts
            .Select(static start => start.Decision.Instance!)
            .Where(static instance => instance.BusinessKey is null)
            .Select(instance => instance with { CreatedAt = createdAt });
        Written(incarnation, instances);
    }

    /// <summary>The engine has notes on it that need not be those of an activity under way: a timer, a time limit, a retry.</summary>
    private static bool WaitsForTime(InstanceRecord instance) =>
        instance.Progress is { } notes && instance.Waits != WaitKinds.Activity && !ContinuedChain.IsLinkOnly(notes);

    private InstanceRecord? TakeOut(Guid id)
    {
        if (_newer.Remove(id, out var known))
        {
            _newerBytes -= SizeOf(known);
            return known;
        }

        return _older.Remove(id, out known) ? known : null;
    }

    private void Keep(InstanceRecord instance)
    {
        var size = SizeOf(instance);
        if (size > maxBytes / 2)
            return;
        if (_newerBytes + size > maxBytes / 2)
        {
            (_newer, _older) = (_older, _newer);
            _newer.Clear();
            _newerBytes = 0;
        }

        _newer.Add(instance.Id, instance);
        _newerBytes += size;
    }

    private void Clear()
    {
        _newer.Clear();
        _older.Clear();
        _newerBytes = 0;
    }

    private static long SizeOf(InstanceRecord instance) => Overhead + instance.State.Length + (instance.Progress?.Length ?? 0);
}

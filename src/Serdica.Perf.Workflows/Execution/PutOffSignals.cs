namespace Serdica.Perf.Workflows;

/// <summary>
/// The order of signals that were put off. They are due later than they were, so others of their instance are due before them and
/// would overtake them. Shared by the workers of a host.
/// </summary>
/// <remarks>
/// <para>
/// A claim takes the signals of an instance in order of their due time, and may be cut by its size. So those that came later may
/// be claimed first, without those that they must not overtake. They are put off then too, to a time after all of them.
/// </para>
/// <para>
/// All due times here are times of the database's clock, which the claim has read. A delay would be added to a reading that this
/// host does not know, and a busy host would put off the rest of an instance to a time before that of its first signals.
/// </para>
/// </remarks>
internal sealed class PutOffSignals(TimeProvider time)
{
    /// <summary>
    /// Instances whose signals do not come again, because another host has handled them, are forgotten that long after they were due
    /// by the clock of this host. It is longer than a host lags behind its signals.
    /// </summary>
    private static readonly TimeSpan LongestWait = FromHours(1);

    /// <summary>Every backend stores due times that differ by this much as different times.</summary>
    private static readonly TimeSpan Step = FromMilliseconds(1);

    /// <summary>A bound for what is remembered of instances that never come again.</summary>
    private const int MaxInstances = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<Guid, Line> _lines = [];
    private volatile bool _isEmpty = true;

    /// <summary>Signals of this instance were put off and have not been handled.</summary>
    public bool Has(Guid instanceId)
    {
        if (_isEmpty)
            return false;
        lock (_gate)
            return Find(instanceId) is not null;
    }

    /// <summary>Brings the signals of a claimed instance into the order in which they came.</summary>
    /// <returns>The index of the first signal that has to wait; <see langword="null"/> when all can be handled.</returns>
    public int? Arrange(ClaimedInstance claimed)
    {
        if (_isEmpty)
            return null;
        lock (_gate)
        {
            if (Find(claimed.Instance.Id) is not { } line)
                return null;
            var first = line.Arrange(claimed.Signals);
            return first < claimed.Signals.Count ? first : null;
        }
    }

    /// <summary>
    /// Signals of an instance, which are in the order in which they came, are about to be put off. Whether that is committed makes
    /// no difference: without the commit they are due before the time that is remembered.
    /// </summary>
    /// <param name="signals">In their order.</param>
    /// <param name="now">The database's clock at the claim.</param>
    /// <param name="delay">For how long, unless others of this instance are due later than that.</param>
    /// <returns>When they are to be due, all at the same time.</returns>
    public DateTimeOffset PutOff(Guid instanceId, IReadOnlyList<Signal> signals, DateTimeOffset now, TimeSpan delay)
    {
        lock (_gate)
        {
            if (_lines.Count >= MaxInstances)
                MakeRoom();
            if (!_lines.TryGetValue(instanceId, out var line))
                _lines.Add(instanceId, line = new Line());
            var due = line.Add(signals, now + delay);
            line.ForgottenAt = time.GetTimestamp() + (long)((due - now + LongestWait).TotalSeconds * time.TimestampFrequency);
            _isEmpty = false;
            return due;
        }
    }

    /// <summary>The signals of a claimed instance were handled.</summary>
    public void Handled(ClaimedInstance claimed)
    {
        if (_isEmpty)
            return;
        lock (_gate)
        {
            if (_lines.TryGetValue(claimed.Instance.Id, out var line) && line.Remove(claimed.Signals))
                Remove(claimed.Instance.Id);
        }
    }

    private Line? Find(Guid instanceId)
    {
        if (!_lines.TryGetValue(instanceId, out var line))
            return null;
        if (time.GetTimestamp() <= line.ForgottenAt)
            return line;
        Remove(instanceId);
        return null;
    }

    private void MakeRoom()
    {
        var now = time.GetTimestamp();
        foreach (var (id, line) in _lines)
        {
            if (line.ForgottenAt < now)
                _lines.Remove(id);
        }

        if (_lines.Count >= MaxInstances)
            _lines.Clear();
    }

    private void Remove(Guid instanceId)
    {
        _lines.Remove(instanceId);
        _isEmpty = _lines.Count == 0;
    }

    /// <summary>A signal that was put off.</summary>
    /// <param name="Number">Counted in the order in which the signals came.</param>
    /// <param name="Due">It is due at that time, or before it while that is not committed.</param>
    private readonly record struct Place(int Number, DateTimeOffset Due);

    /// <summary>The signals of one instance that were put off.</summary>
    private sealed class Line
    {
        private readonly Dictionary<Guid, Place> _places = [];
        private int _next;
        private DateTimeOffset _latest;

        /// <summary>A timestamp of this host's clock.</summary>
        public long ForgottenAt { get; set; }

        /// <returns>When they are due.</returns>
        public DateTimeOffset Add(IReadOnlyList<Signal> signals, DateTimeOffset due)
        {
            // Some databases store milliseconds.
            due = DateTimeOffset.FromUnixTimeMilliseconds(due.ToUnixTimeMilliseconds());
            if (due <= _latest)
                due = _latest + Step;
            _latest = due;
            foreach (var signal in signals)
            {
                // A host without a free place leaves activities where they are: what comes after them must not wait for that.
                if (signal.Kind != SignalKind.Activity)
                    _places[signal.Id] = new Place(_places.TryGetValue(signal.Id, out var place) ? place.Number : _next++, due);
            }

            return due;
        }

        /// <returns>The index of the first signal that must not be handled yet.</returns>
        public int Arrange(List<Signal> signals)
        {
            var missing = FirstMissing(signals);
            var ordered = signals.OrderBy(NumberOf).ToList();
            signals.Clear();
            signals.AddRange(ordered);
            var first = signals.FindIndex(signal => NumberOf(signal) > missing);
            return first < 0 ? signals.Count : first;
        }

        /// <returns>Whether nothing is left.</returns>
        public bool Remove(List<Signal> signals)
        {
            foreach (var signal in signals)
                _places.Remove(signal.Id);
            return _places.Count == 0;
        }

        private int NumberOf(Signal signal) => _places.TryGetValue(signal.Id, out var place) ? place.Number : int.MaxValue;

        /// <summary>The number of the first signal that was not claimed with these and may still exist.</summary>
        /// <remarks>
        /// A claim has all due signals of an instance up to its last one. But it may see the signals as they were before a commit that
        /// put some off, while it holds the instance as it was afterwards. One that it sees put off shows that it is newer than that
        /// commit, and so newer than those that put off the signals that are due before it.
        /// </remarks>
        private int FirstMissing(List<Signal> claimed)
        {
            var claimedIds = claimed.Select(static signal => signal.Id).ToHashSet();
            var seen = claimed
                .Where(signal => _places.TryGetValue(signal.Id, out var place) && place.Due == signal.Due.At)
                .Max(static signal => signal.Due.At);
            var missing = int.MaxValue;
            foreach (var (id, place) in _places)
            {
                if (claimedIds.Contains(id))
                    continue;
                if (place.Due < seen)
                    _places.Remove(id);
                else
                    missing = Math.Min(missing, place.Number);
            }

            return missing;
        }
    }
}

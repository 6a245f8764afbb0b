namespace Serdica.Perf.Workflows;

/// <summary>
/// The order of signals that were put off. They are due later than they were, so others of their instance are due before them and
/// would overtake them. Shared by the workers of a host.
/// </summary>
/// <remarks>
/// A claim takes the signals of an instance in order of their due time, and may be cut by its size. So those that came later may
/// be claimed first, without those that they must not overtake. They are put off then too, to a time after all of them.
/// </remarks>
internal sealed class PutOffSignals(TimeProvider time)
{
    /// <summary>A signal that has not come by then was handled by another host.</summary>
    private static readonly TimeSpan LongestDelay = TimeSpan.FromSeconds(10);

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
    /// <returns>The signals that have to wait; <see langword="null"/> when all can be handled.</returns>
    public Overtaking? Arrange(ClaimedInstance claimed)
    {
        if (_isEmpty)
            return null;
        lock (_gate)
        {
            if (Find(claimed.Instance.Id) is not { } line)
                return null;
            var first = line.Arrange(claimed.Signals);
            return first < claimed.Signals.Count ? new Overtaking(first, line.LeftAt(time)) : null;
        }
    }

    /// <summary>Signals of an instance, which are in the order in which they came, are about to be put off.</summary>
    /// <returns>What <see cref="Committed"/> needs.</returns>
    public Delayed PutOff(Guid instanceId, IReadOnlyList<Signal> signals, TimeSpan delay)
    {
        var due = time.GetTimestamp() + Ticks(delay);
        lock (_gate)
        {
            if (_lines.Count > MaxInstances)
                _lines.Clear();
            if (!_lines.TryGetValue(instanceId, out var line))
                _lines.Add(instanceId, line = new Line());
            line.Add(signals, due + Ticks(LongestDelay));
            _isEmpty = false;
        }

        return new Delayed(instanceId, signals, delay, due);
    }

    /// <summary>Signals were put off, and that is committed.</summary>
    public void Committed(Delayed delayed)
    {
        lock (_gate)
        {
            if (_lines.TryGetValue(delayed.InstanceId, out var line))
                line.Committed(delayed.Signals, delayed.From, time.GetTimestamp() + Ticks(delayed.Delay));
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
        if (!line.Expire(time.GetTimestamp()))
            return line;
        Remove(instanceId);
        return null;
    }

    private void Remove(Guid instanceId)
    {
        _lines.Remove(instanceId);
        _isEmpty = _lines.Count == 0;
    }

    private long Ticks(TimeSpan delay) => (long)(delay.TotalSeconds * time.TimestampFrequency);

    /// <summary>Signals that would overtake some that were put off and not claimed with them.</summary>
    /// <param name="First">The index of the first of them.</param>
    /// <param name="Wait">How long they have to wait.</param>
    public readonly record struct Overtaking(int First, TimeSpan Wait);

    /// <summary>Signals that are put off in a transaction.</summary>
    /// <param name="InstanceId">Whose.</param>
    /// <param name="Signals">In their order.</param>
    /// <param name="Delay">By how much.</param>
    /// <param name="From">The timestamp at which they are due, at the earliest.</param>
    public readonly record struct Delayed(Guid InstanceId, IReadOnlyList<Signal> Signals, TimeSpan Delay, long From);

    /// <summary>
    /// A signal that was put off. The database's clock says when it is due; here it is known between two times of this host.
    /// </summary>
    private sealed class Place(int number)
    {
        public int Number => number;

        /// <summary>Timestamp before which it is not due; the minimum while that is not committed.</summary>
        public long From { get; set; }

        /// <summary>Timestamp from which on it is due; the maximum while that is not committed.</summary>
        public long Until { get; set; }

        /// <summary>Timestamp at which it is forgotten.</summary>
        public long Expires { get; set; }
    }

    /// <summary>The signals of one instance that were put off.</summary>
    private sealed class Line
    {
        private readonly Dictionary<Guid, Place> _places = [];
        private int _next;
        private long _latestDue;

        public void Add(IReadOnlyList<Signal> signals, long expires)
        {
            foreach (var signal in signals)
            {
                if (!_places.TryGetValue(signal.Id, out var place))
                    _places.Add(signal.Id, place = new Place(_next++));
                place.From = long.MinValue;
                place.Until = long.MaxValue;
                place.Expires = Math.Max(place.Expires, expires);
            }
        }

        public void Committed(IReadOnlyList<Signal> signals, long from, long until)
        {
            _latestDue = Math.Max(_latestDue, until);
            foreach (var signal in signals)
            {
                if (!_places.TryGetValue(signal.Id, out var place))
                    continue;
                place.From = from;
                place.Until = until;
            }
        }

        /// <returns>The index of the first signal that must not be handled yet.</returns>
        public int Arrange(List<Signal> signals)
        {
            var ordered = signals.OrderBy(signal => _places.GetValueOrDefault(signal.Id)?.Number ?? int.MaxValue).ToList();
            signals.Clear();
            signals.AddRange(ordered);
            var missing = FirstMissing(signals);
            var first = signals.FindIndex(signal => (_places.GetValueOrDefault(signal.Id)?.Number ?? int.MaxValue) > missing);
            return first < 0 ? signals.Count : first;
        }

        public TimeSpan LeftAt(TimeProvider time)
        {
            var left = time.GetElapsedTime(time.GetTimestamp(), _latestDue);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }

        /// <returns>Whether nothing is left.</returns>
        public bool Remove(List<Signal> signals)
        {
            foreach (var signal in signals)
                _places.Remove(signal.Id);
            return _places.Count == 0;
        }

        /// <inheritdoc cref="Remove"/>
        public bool Expire(long now)
        {
            foreach (var (id, place) in _places)
            {
                if (place.Expires < now)
                    _places.Remove(id);
            }

            return _places.Count == 0;
        }

        /// <summary>
        /// The place of the first signal that was not claimed with these. One that was due before one of these, and has not come
        /// with it, is not there any more: another host has handled it.
        /// </summary>
        private int FirstMissing(List<Signal> claimed)
        {
            var claimedIds = claimed.Select(static signal => signal.Id).ToHashSet();
            var latest = _places.Where(entry => claimedIds.Contains(entry.Key)).Max(static entry => (long?)entry.Value.From);
            var missing = int.MaxValue;
            foreach (var (id, place) in _places)
            {
                if (claimedIds.Contains(id))
                    continue;
                if (place.Until < latest)
                    _places.Remove(id);
                else
                    missing = Math.Min(missing, place.Number);
            }

            return missing;
        }
    }
}

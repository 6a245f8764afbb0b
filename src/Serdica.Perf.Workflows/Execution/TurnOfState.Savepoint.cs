namespace Serdica.Perf.Workflows;

/// <content>Undoing a handler that failed.</content>
internal sealed partial class Turn<TState>
{
    /// <summary>All that a handler can change, as it was before.</summary>
    private readonly struct Savepoint(Turn<TState> turn)
    {
        private readonly Progress _progress = turn.Progress;
        private readonly int _index = turn._index;
        private readonly int _started = turn.Decision.Started?.Count ?? 0;
        private readonly Signal[] _sent = turn.Decision.Sent is { Count: > 0 } sent ? [.. sent] : [];
        private readonly int _withdrawn = turn.Decision.Withdrawn?.Count ?? 0;
        private readonly int _buried = turn.Decision.DeadLetters?.Count ?? 0;
        private readonly int _continued = turn.Decision.Continued?.Count ?? 0;
        private readonly LeasedActivity[] _leases = turn.Leases is { Count: > 0 } leases ? [.. leases] : [];
        private readonly InstanceStatus _status = turn._status;
        private readonly string? _error = turn._error;

        public void Restore(Turn<TState> target)
        {
            target._state = null;
            target._stateIsNewer = false;
            target.Progress = _progress;
            target._index = _index;
            target._status = _status;
            target._error = _error;
            Reset(target.Leases, _leases);
            Truncate(target.Decision.Started, _started);
            Reset(target.Decision.Sent, _sent);
            Truncate(target.Decision.Withdrawn, _withdrawn);
            Truncate(target.Decision.DeadLetters, _buried);
            Truncate(target.Decision.Continued, _continued);
        }

        /// <summary>For lists that a handler may also take from.</summary>
        private static void Reset<T>(List<T>? list, T[] before)
        {
            list?.Clear();
            list?.AddRange(before);
        }

        private static void Truncate<T>(List<T>? list, int count) => list?.RemoveRange(count, list.Count - count);
    }
}

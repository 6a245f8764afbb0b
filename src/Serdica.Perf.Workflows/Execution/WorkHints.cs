namespace Serdica.Perf.Workflows;

/// <summary>
/// Wakes workers: those of this process at once, those of other processes through the backend, with pauses in between. No caller waits
/// for that.
/// </summary>
/// <remarks>
/// While a worker is active, new work is left to it: it polls again when its batch is done, and an idle worker is spared
/// an empty poll. An idle worker is woken to help when a batch was full, or when the active worker takes longer than
/// <see cref="HelpAfter"/>.
/// <para>
/// Where the backend elects one process (<see cref="IWorkflowBackend.IsFirst"/>), hints come to that one alone, for a hint wakes whoever
/// hears it and one takes what is there. It calls the others when work is late, or when it leaves work alone. They poll without being
/// called as well, and go on while what they find is late (<see cref="HelpCalls"/>).
/// </para>
/// <para>Elsewhere a hint wakes all processes, and each learns how late to follow (<see cref="HintDelay"/>).</para>
/// </remarks>
internal sealed class WorkHints : IAsyncDisposable
{
    /// <summary>One notification for all writes of this time, where each wakes every process.</summary>
    private static readonly TimeSpan Pause = FromMilliseconds(10);

    /// <summary>Where each wakes one process: a single caller waits for it.</summary>
    private static readonly TimeSpan ElectedPause = FromMilliseconds(1);

    /// <summary>Timers of .NET are limited to 49 days; one empty poll a day costs nothing.</summary>
    private static readonly TimeSpan LongestTimer = FromDays(1);

    private static readonly TimeSpan HelpAfter = FromMilliseconds(10);

    /// <summary>How long disposal may take to send the last hint.</summary>
    private static readonly TimeSpan LastHint = FromSeconds(1);

    private readonly IWorkflowBackend _backend;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenSource _hintLimit = new();
    private readonly SemaphoreSlim _notify = new(0, 1);
    private readonly Lock _gate = new();
    private readonly Queue<TaskCompletionSource> _sleepers = new();
    private readonly ITimer _timer;
    private readonly Task _notifier;
    private long _timerDue = long.MaxValue;
    private long _sequence;
    private long _unarmed;
    private long _unarmedSeen;
    private bool _disposed;
    private int _active;

    /// <summary>
    /// The value of <see cref="_sequence"/> when this process last added work; 0 when a look that began later has ended, or others were
    /// notified of it.
    /// </summary>
    private long _unseen;

    private bool _hinted;
    private readonly HintDelay _hintDelay;

    private readonly HelpCalls _help;
    private long _lookedAt;
    private bool _toAll;
    private bool _toFirst;

    /// <summary>Whether workers of this object look for work.</summary>
    private volatile bool _works;

    /// <param name="isLocal">Whether only this process is woken, because workers of others wait in the database.</param>
    public WorkHints(IWorkflowBackend backend, TimeProvider time, bool isLocal = false)
    {
        _backend = backend;
        IsLocal = isLocal;
        _time = time;
        _hintDelay = new HintDelay(time);
        _help = new HelpCalls(time);
        _timer = time.CreateTimer(_ => OnTimer(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _notifier = TellsOthers ? Task.Run(NotifyLoopAsync) : Task.CompletedTask;
    }

    /// <summary>Whether no hint leaves this process, or comes from another.</summary>
    public bool IsLocal { get; }

    /// <summary>
    /// Null without an election. False while no worker of this object looks: the backend object may hear hints for another host then,
    /// and what is added here is for others.
    /// </summary>
    private bool? IsFirst => _backend.IsFirst is { } first ? first && _works : null;

    private bool TellsOthers => !IsLocal && _backend.Capabilities.CrossProcessHints;

    /// <summary>This process has made work due.</summary>
    public void WorkAdded()
    {
        TaskCompletionSource? sleeper;
        bool tellOthers;
        lock (_gate)
        {
            tellOthers = _sleepers.Count == 0 && IsFirst != true;
            sleeper = Assign();
            _unseen = _sequence;
        }

        sleeper?.SetResult();
        if (tellOthers)
            TellOthers(all: false);
    }

    /// <summary>
    /// Sets a timer for a signal or message that is committed now. For one that is due at once, the caller calls
    /// <see cref="WorkAdded"/> instead.
    /// </summary>
    /// <param name="age">
    /// How long ago its write started, at most. The delay runs from the moment at which the database read its clock during
    /// that write, so the timer may be early by this much. The empty poll that follows sets it by the database's clock.
    /// </param>
    /// <returns>Whether it is due at once.</returns>
    public bool Arm(Due due, TimeSpan age)
    {
        if (!due.IsNow)
            WorkDueIn(due.At is { } at ? at - _time.GetUtcNow() : due.Delay - age);
        return due.IsNow;
    }

    /// <summary>Work becomes due after <paramref name="delay"/>.</summary>
    public void WorkDueIn(TimeSpan delay)
    {
        lock (_gate)
        {
            _unarmed++;
            SetTimer(delay < TimeSpan.Zero ? TimeSpan.Zero : delay);
        }
    }

    /// <summary>
    /// Another process has made work due, or may have: left to an active worker, if there is one, and, where all processes hear this, at
    /// first to the others when they were quicker with the work of the last hints.
    /// </summary>
    public void WorkHinted()
    {
        TaskCompletionSource? sleeper = null;
        lock (_gate)
        {
            _hinted = true;
            var delay = IsFirst is null ? _hintDelay.Heard() : TimeSpan.Zero;
            if (delay == TimeSpan.Zero)
                sleeper = Assign();
            else
                SetTimer(delay);
        }

        sleeper?.SetResult();
    }

    /// <summary>What this process has left alone can be claimed now: left to an active worker, if there is one.</summary>
    public void LookAgain()
    {
        TaskCompletionSource? sleeper;
        lock (_gate)
            sleeper = Assign();
        sleeper?.SetResult();
    }

    /// <summary>
    /// A worker that looked a moment ago may have passed something over, because its instance was held: one looks again
    /// after <see cref="HelpAfter"/>.
    /// </summary>
    public void LookSoon()
    {
        lock (_gate)
            SetTimer(HelpAfter);
    }

    /// <summary>There is more work than one worker takes: wakes an idle worker, if there is one, to poll.</summary>
    public void WakeOne()
    {
        TaskCompletionSource? sleeper;
        lock (_gate)
        {
            _sequence++;
            _sleepers.TryDequeue(out sleeper);
        }

        sleeper?.SetResult();
    }

    /// <summary>A worker starts a poll. The poll may miss what is added from now on.</summary>
    /// <returns>The argument for <see cref="TrySleep"/>.</returns>
    public Look BeginLook()
    {
        lock (_gate)
        {
            _active++;
            _works = true;
            _lookedAt = _time.GetTimestamp();
            var hinted = _hinted;
            _hinted = false;
            return new Look(_sequence, _unarmed, hinted);
        }
    }

    /// <summary>The worker has handled what its poll found.</summary>
    /// <param name="found">
    /// Whether the poll found anything. If it did not, although this process added work meanwhile, another process may hold
    /// that work: then the other processes are notified.
    /// </param>
    /// <param name="putOff">Whether the backend has not looked everywhere; then it follows hints late by itself.</param>
    /// <param name="longestWait">For how long the earliest of what was found had been due.</param>
    /// <param name="leavesWork">Whether the poll left work alone that another process may be able to take.</param>
    public void EndLook(Look look, bool found, bool putOff = false, TimeSpan longestWait = default, bool leavesWork = false)
    {
        var isFirst = IsFirst;
        var isLate = found && HelpCalls.IsLate(longestWait);
        bool tellOthers;
        lock (_gate)
        {
            _active--;
            tellOthers = _unseen > 0 && !found;
            if (isFirst == true)
                tellOthers |= (isLate || (leavesWork && look.Hinted)) && _help.MayCall();
            else if (isFirst == false)
                PollAgain(_help.NextPoll(isLate));
            else if (found)
                _hintDelay.Found();
            else if (look.Hinted && !tellOthers && !putOff && TellsOthers)
                _hintDelay.FoundNothing();

            // What a look finds says nothing about work that was added after it began.
            if (!found || _unseen <= look.Sequence)
                _unseen = 0;

            // A hint that came during the poll and was to be followed later: at once by a worker that finds something.
            if (_hinted && found)
                _sequence++;
        }

        if (tellOthers)
            TellOthers(isFirst == true);
    }

    /// <summary>
    /// Sleeps until woken. <see langword="null"/> when the worker must poll again: work was added since its poll started and
    /// no other worker is active, or only an empty poll can say when the next timer is due.
    /// </summary>
    public Task? TrySleep(Look look, bool found)
    {
        lock (_gate)
        {
            if (_sequence != look.Sequence)
            {
                if (found || _active == 0)
                    return null;

                // Another worker has taken what was there, and polls again for what has come since. If it takes long, this
                // one helps.
                SetTimer(HelpAfter);
            }

            // The timer is set for the nearest due time. Only the database knows the later ones, until an empty poll
            // returns no next due time.
            if (!found)
                _unarmedSeen = Math.Max(_unarmedSeen, look.Unarmed);
            else if (_timerDue == long.MaxValue && _unarmed > _unarmedSeen)
                return null;
            var sleeper = new TaskCompletionSource(RunContinuationsAsynchronously);
            _sleepers.Enqueue(sleeper);
            return sleeper.Task;
        }
    }

    /// <summary>No worker looks any more: what was added or hinted and not looked for, and what will be added, is for others.</summary>
    public void WorkersStopped()
    {
        bool tellOthers,
            all;
        lock (_gate)
        {
            _sleepers.Clear();
            tellOthers = _unseen > 0 || _hinted;
            _unseen = 0;
            _hinted = false;
            all = IsFirst == true;
            _works = false;
        }

        if (tellOthers)
            TellOthers(all);
    }

    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
        }

        _hintLimit.CancelAfter(LastHint);
        await _stop.CancelAsync().ConfigureAwait(false);
        await _notifier.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await NotifyAsync().ConfigureAwait(false);
        await _timer.DisposeAsync().ConfigureAwait(false);
        _stop.Dispose();
        _hintLimit.Dispose();
    }

    /// <summary>New work goes to an active worker, with help when it takes long; else to the sleeper that is returned.</summary>
    private TaskCompletionSource? Assign()
    {
        _sequence++;
        if (_active == 0)
            return _sleepers.TryDequeue(out var sleeper) ? sleeper : null;
        if (_sleepers.Count > 0)
            SetTimer(HelpAfter);
        else if (IsFirst == true)
            SetTimer(HelpCalls.Patience);
        return null;
    }

    private void SetTimer(TimeSpan delay)
    {
        if (delay > LongestTimer)
            delay = LongestTimer;
        var due = _time.GetTimestamp() + (long)(delay.TotalSeconds * _time.TimestampFrequency);
        if (due >= _timerDue)
            return;
        _timerDue = due;
        _timer.Change(delay, Timeout.InfiniteTimeSpan);
    }

    private void OnTimer()
    {
        bool tellOthers;
        lock (_gate)
        {
            _timerDue = long.MaxValue;

            // All workers are busy for longer than work is to wait.
            tellOthers =
                _sleepers.Count == 0
                && _active > 0
                && IsFirst == true
                && HelpCalls.IsLate(_time.GetElapsedTime(_lookedAt))
                && _help.MayCall();
        }

        WakeOne();
        if (tellOthers)
            TellOthers(all: true);
    }

    private void PollAgain(TimeSpan? after)
    {
        if (after == TimeSpan.Zero)
            _sequence++;
        else if (after is { } pause)
            SetTimer(pause);
    }

    /// <param name="all">Whether to notify all processes: the first would only hear its own hint.</param>
    private void TellOthers(bool all)
    {
        if (!TellsOthers)
            return;
        Interlocked.Exchange(ref all ? ref _toAll : ref _toFirst, true);
        if (_notify.CurrentCount > 0)
            return;
        try
        {
            _notify.Release();
        }
        catch (SemaphoreFullException)
        {
            // Two writers at once: the other one's hint stands for both.
        }
    }

    private async Task NotifyLoopAsync()
    {
        var (notifiedAt, pause) = (0L, TimeSpan.Zero);
        while (true)
        {
            await _notify.WaitAsync(_stop.Token).ConfigureAwait(false);

            // The hint before this one may have stood for it.
            if (!_toAll && !_toFirst)
                continue;

            // Timers are late by some milliseconds, so there is none when the pause has passed.
            var left = pause - _time.GetElapsedTime(notifiedAt);
            if (left > TimeSpan.Zero)
                await Task.Delay(FromMilliseconds(Math.Ceiling(left.TotalMilliseconds)), _time, _stop.Token).ConfigureAwait(false);
            pause = _toAll || _backend.IsFirst is null ? Pause : ElectedPause;
            notifiedAt = _time.GetTimestamp();
            await NotifyAsync().ConfigureAwait(false);
        }
    }

    private async Task NotifyAsync()
    {
        try
        {
            if (Interlocked.Exchange(ref _toAll, false))
                await _backend.NotifyAllAsync(_hintLimit.Token).WaitAsync(_hintLimit.Token).ConfigureAwait(false);
            if (Interlocked.Exchange(ref _toFirst, false))
                await _backend.NotifyWorkAsync(_hintLimit.Token).WaitAsync(_hintLimit.Token).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // It was only a hint, whatever the error: the others poll as well.
        }
    }

    /// <summary>What was known when a poll started.</summary>
    /// <param name="Unarmed">Counts the timers that were set.</param>
    /// <param name="Hinted">Whether another process had given a hint since the last poll started.</param>
    public readonly record struct Look(long Sequence, long Unarmed, bool Hinted);
}

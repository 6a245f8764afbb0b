namespace Serdica.Perf.Workflows;

/// <summary>
/// A call that waits in the database for all who wait here. Whoever comes next takes it up, with the hint that it has got meanwhile.
/// Compiled into the Oracle backend too.
/// </summary>
internal sealed class SharedWait
{
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _gate = new();
    private Task<bool>? _call;

    /// <summary>Fires at the end, from which on nothing comes.</summary>
    public CancellationToken Ended => _end.Token;

    private Task<bool>? Current
    {
        get
        {
            lock (_gate)
                return _call;
        }
    }

    /// <param name="begin">Begins a call that ends within some seconds, with whether it got a hint; given the time left.</param>
    /// <returns>Whether there was a hint within the time.</returns>
    public async Task<bool> WaitAsync(Func<TimeSpan, Task<bool>> begin, TimeSpan maximum, CancellationToken cancellationToken)
    {
        if (_end.IsCancellationRequested)
        {
            // Those who go on waiting must not do so in a busy loop.
            await Task.Delay(maximum, cancellationToken).ConfigureAwait(false);
            return false;
        }

        var began = Stopwatch.GetTimestamp();
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var left = maximum - Stopwatch.GetElapsedTime(began);
            if (left <= TimeSpan.Zero || _end.IsCancellationRequested)
                return false;
            var call = Call(begin, left);
            await ((Task)call).WaitAsync(left, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            cancellationToken.ThrowIfCancellationRequested();
            if (!call.IsCompleted)
                return false;
            Forget(call);
            if (call.IsCanceled && _end.IsCancellationRequested)
                return false;
            if (await call.ConfigureAwait(false))
                return true;
        }
    }

    /// <summary>Cancels the call that is under way, and returns when it has ended.</summary>
    /// <returns>Whether it got a hint, which perhaps nobody here follows.</returns>
    public async Task<bool> EndAsync()
    {
        var last = Current;
        await _end.CancelAsync().ConfigureAwait(false);
        if ((Current ?? last) is not { } call)
            return false;
        await ((Task)call).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return call is { IsCompletedSuccessfully: true, Result: true };
    }

    private Task<bool> Call(Func<TimeSpan, Task<bool>> begin, TimeSpan left)
    {
        lock (_gate)
            return _call ??= _end.IsCancellationRequested ? Task.FromResult(false) : begin(left);
    }

    private void Forget(Task<bool> call)
    {
        lock (_gate)
        {
            if (_call == call)
                _call = null;
        }
    }
}

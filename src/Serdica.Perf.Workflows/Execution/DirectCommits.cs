namespace Serdica.Perf.Workflows;

/// <summary>
/// Decides signals in the group commit that would otherwise store them. What cannot be decided there, for whatever reason, is
/// stored, and the workers handle it: they isolate an instance that is in trouble.
/// </summary>
internal sealed class DirectCommits(
    IWorkflowBackend backend,
    Func<BatchDecider> createDecider,
    ActivityRunner activities,
    WorkflowClient client,
    WorkflowOptions options,
    CounterSet counters,
    TimeProvider time,
    ILogger logger
)
{
    private readonly Lock _gate = new();
    private readonly Stack<TimedDecider> _idle = [];
    private readonly TaskCompletionSource _ended = new(RunContinuationsAsynchronously);
    private int _underWay;
    private bool _stopped;

    /// <inheritdoc cref="IWorkflowBackend.SubmitAsync(IReadOnlyList{Submission}, CancellationToken)"/>
    public async Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
    {
        NoteLeasingStarts(batch);
        if (HasDue(batch) && TryTake(out var decider))
        {
            try
            {
                if (await TryDecideAsync(decider, batch, cancellationToken).ConfigureAwait(false))
                {
                    Follow(decider.Decider, batch);
                    return;
                }
            }
            finally
            {
                GiveBack(decider);
            }
        }

        await backend.SubmitAsync(batch, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Places for the first activities of a start.</summary>
    public StartPlaces PlacesOf(TurnEnvironment start) => new(this, activities, start);

    /// <summary>The host waits for what has begun before it stops running activities; false when it is stopping.</summary>
    public bool TryBegin()
    {
        lock (_gate)
        {
            if (_stopped)
                return false;
            _underWay++;
            return true;
        }
    }

    /// <summary>What had begun has ended.</summary>
    public void End()
    {
        lock (_gate)
        {
            _underWay--;
            EndIfIdle();
        }
    }

    /// <summary>Decides nothing more, and waits for what is being decided: it may lease activities.</summary>
    public Task StopAsync()
    {
        lock (_gate)
        {
            _stopped = true;
            EndIfIdle();
        }

        return _ended.Task;
    }

    /// <returns>False when nothing was written, for a reason that need not concern a batch that is stored.</returns>
    private async Task<bool> TryDecideAsync(TimedDecider decider, IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
    {
        var turns = new DirectTurns(decider.DecideAsync) { Abandoned = decider.Abandoned, DecideParents = decider.DecideParentsAsync };
        try
        {
            await decider.RunAsync(() => backend.SubmitAsync(batch, turns, cancellationToken)).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (decider.HasNoDecisions || e is WorkflowBackendException { NothingWritten: true, IsTransient: false })
        {
            decider.Failed(e);
            decider.Decider.Forget();
            if (e is not DecideTimeoutException)
                Interlocked.Increment(ref counters.BackendFailures);
            Log.DirectFailed(logger, batch.Count, DriverErrors.TextOf(e), e);
            return false;
        }
        catch (Exception e)
        {
            // The answer to the commit may be all that was lost.
            if (e is not WorkflowBackendException { NothingWritten: true })
                activities.Suspect(decider.Decider.Leased, decider.Decider.DecidedAt);

            // Repeated signals are stored, and workers find out which instance is at fault, if any.
            decider.Failed(e);
            decider.Decider.Forget();
            throw;
        }
    }

    private void Follow(BatchDecider decider, IReadOnlyList<Submission> batch)
    {
        var decided = 0;
        for (var i = 0; i < batch.Count; i++)
        {
            if (batch[i] is SignalSubmission { IsDecided: true })
                decided++;
        }

        if (decided == 0)
        {
            decider.Forget();
            return;
        }

        Interlocked.Increment(ref counters.Batches);
        Interlocked.Add(ref counters.Signals, decided);
        Interlocked.Add(ref counters.DirectSignals, decided);
        Telemetry.Handled.Add(decided);
        var mayHaveHidden = decider.LeavesInstances;
        decider.Committed(client.Closed, client.Hints, counters);
        if (mayHaveHidden)
            client.Hints.LookSoon();
    }

    private void NoteLeasingStarts(IReadOnlyList<Submission> batch)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            if (batch[i] is StartSubmission { Places: { } places })
                places.Submitting(time.GetTimestamp());
        }
    }

    private static bool HasDue(IReadOnlyList<Submission> batch)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            if (batch[i] is SignalSubmission { Signal.Due.IsNow: true })
                return true;
        }

        return false;
    }

    private bool TryTake([NotNullWhen(true)] out TimedDecider? decider)
    {
        lock (_gate)
        {
            decider = null;
            if (_stopped)
                return false;
            _underWay++;
            if (_idle.TryPop(out decider))
                return true;
        }

        decider = new TimedDecider(createDecider, backend.Capabilities, options, counters, time);
        return true;
    }

    private void GiveBack(TimedDecider decider)
    {
        lock (_gate)
        {
            _underWay--;
            _idle.Push(decider);
            EndIfIdle();
        }
    }

    private void EndIfIdle()
    {
        if (!_stopped || _underWay > 0)
            return;
        while (_idle.TryPop(out var decider))
            decider.Dispose();
        _ended.TrySetResult();
    }
}

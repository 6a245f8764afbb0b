namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Looks every ten milliseconds at what the engine's operations wait for, and adds the time since the last look to what
/// each of them does. Over a connection of its own: it stands behind no other command.
/// </summary>
/// <remarks>A look is a request: no stage of MongoDB's pipelines waits, so the server can't make the pauses.</remarks>
internal sealed class MongoDbWaitSampler : IAsyncDisposable
{
    private const string Grant = "the privilege inprog, which the role clusterMonitor has";

    private static readonly TimeSpan Pause = FromMilliseconds(10);

    private readonly Lock _gate = new();
    private readonly SampledWaits _waits = new();
    private readonly MongoDbAnswers _answers;
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _running;
    private TaskCompletionSource _next = new(RunContinuationsAsynchronously);
    private string? _missing;
    private TimeSpan _busy;
    private long _lastLook;

    public MongoDbWaitSampler(MongoDbAnswers answers)
    {
        _answers = answers;
        _running = Task.Run(RunAsync);
    }

    public TimeSpan Busy
    {
        get
        {
            lock (_gate)
                return _busy;
        }
    }

    /// <summary>Completes when all looks up to now are in, or there will be no more.</summary>
    public Task CatchUpAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
            return _next.Task.WaitAsync(cancellationToken);
    }

    public StatisticsSnapshot AddTo(StatisticsSnapshot snapshot)
    {
        lock (_gate)
            return snapshot with { Waits = _waits.ToList(), WaitsMissing = _missing };
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            using var pauses = new PeriodicTimer(Pause);
            do
            {
                await LookAsync().ConfigureAwait(false);
                Complete(last: false);
            } while (_missing is null && await pauses.WaitForNextTickAsync(_stop.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException)
        {
            // Nobody wants to know any more.
        }
        catch (DocumentCommandException e)
        {
            lock (_gate)
                _missing = MongoDbErrors.Wrap("mongodb", "sample the engine's operations", e).Message;
        }
        finally
        {
            Complete(last: true);
        }
    }

    private async Task LookAsync()
    {
        var begin = Stopwatch.GetTimestamp();
        var answer = await _answers
            .AskAsync("admin", StatisticsCommands.CurrentOperations(), "$currentOp", Grant, _stop.Token)
            .ConfigureAwait(false);
        lock (_gate)
        {
            _busy += Stopwatch.GetElapsedTime(begin);
            _missing = answer.Missing;

            // The first look stands for no time.
            var microseconds = _lastLook == 0 ? 0 : Stopwatch.GetElapsedTime(_lastLook, begin).TotalMicroseconds;
            _lastLook = begin;
            foreach (var operation in answer.Documents)
            {
                var (kind, name) = MongoDbOperation.Read(operation);
                _waits.Add(kind, name, microseconds, 1);
            }
        }
    }

    private void Complete(bool last)
    {
        lock (_gate)
        {
            _next.TrySetResult();
            if (!last)
                _next = new(RunContinuationsAsynchronously);
        }
    }
}

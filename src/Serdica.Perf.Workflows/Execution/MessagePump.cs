using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Serdica.Perf.Workflows;

/// <summary>
/// Drains the bare queue of a backend with a number of workers, woken as a <see cref="WorkflowHost"/> is: by hints of
/// this process at once, of others through the backend, and by polling when hints are lost.
/// </summary>
public sealed class MessagePump : IAsyncDisposable
{
    private static readonly TimeSpan PauseAfterFailure = TimeSpan.FromMilliseconds(100);

    private readonly IWorkflowBackend _backend;
    private readonly WorkflowOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Action<HandledMessages> _handled;
    private readonly CounterSet _counters = new();
    private readonly CancellationTokenSource _stop = new();
    private Task[] _loops = [];

    /// <param name="backend">A backend with a bare queue, initialised.</param>
    /// <param name="handled">
    /// Called after each commit, by several workers at once; it must be quick and must not throw.
    /// </param>
    /// <param name="options">Workers, batch size, poll interval.</param>
    /// <param name="logger">Hears of failures of the backend.</param>
    /// <param name="time">The clock of pauses.</param>
    /// <exception cref="NotSupportedException">The backend has no bare queue.</exception>
    public MessagePump(
        IWorkflowBackend backend,
        Action<HandledMessages> handled,
        WorkflowOptions? options = null,
        ILogger<MessagePump>? logger = null,
        TimeProvider? time = null)
    {
        _backend = backend;
        _handled = handled;
        _options = options ?? new WorkflowOptions();
        _logger = logger ?? NullLogger<MessagePump>.Instance;
        _time = time ?? TimeProvider.System;
        Sender = new MessageSender(backend, _options, _time);
    }

    /// <summary>A sender of the same process; what it sends wakes this pump's workers without a detour.</summary>
    public MessageSender Sender { get; }

    public HostCounters Counters => _counters.Read();

    public void Start() => _loops =
    [
        Task.Run(ListenAsync),
        .. Enumerable.Range(0, _options.Workers).Select(_ => Task.Run(WorkAsync)),
    ];

    /// <summary>Takes nothing new and commits what is claimed.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_loops).ConfigureAwait(false);
        await Sender.DisposeAsync().ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task WorkAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await ReceiveAsync().ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                // The outermost loop of a worker: whatever it is, the worker must live on.
                Interlocked.Increment(ref _counters.BackendFailures);
                Log.WorkerFailed(_logger, PauseAfterFailure.TotalMilliseconds, e);
                await PauseAsync().ConfigureAwait(false);
            }
        }
    }

    private async Task ReceiveAsync()
    {
        var hints = Sender.Hints;
        var began = hints.BeginLook();
        var found = false;
        try
        {
            ReceivedMessages? received = null;
            var claimedAt = 0L;
            var outcome = await Sender.Queue.ReceiveAsync(
                _options.ClaimBatch,
                messages =>
                {
                    claimedAt = _time.GetTimestamp();
                    received = messages;
                },
                _stop.Token).ConfigureAwait(false);
            found = received is not null;
            Follow(outcome, received, claimedAt);
            if (outcome.Signals >= _options.ClaimBatch)
                return;
        }
        finally
        {
            hints.EndLook(found);
        }

        if (hints.TrySleep(began, found) is { } sleep)
            await sleep.WaitAsync(_stop.Token).ConfigureAwait(false);
    }

    private void Follow(ProcessOutcome outcome, ReceivedMessages? received, long claimedAt)
    {
        if (received is null)
        {
            Interlocked.Increment(ref _counters.EmptyClaims);
            if (outcome.NextDue is { } nextDue)
                Sender.Hints.WorkDueIn(nextDue);
            return;
        }

        // A full batch: there is more than one worker's share.
        if (outcome.Signals >= _options.ClaimBatch)
            Sender.Hints.WakeOne();
        Interlocked.Increment(ref _counters.Batches);
        Interlocked.Add(ref _counters.Signals, outcome.Signals);
        _handled(new HandledMessages(received, _time.GetElapsedTime(claimedAt)));
    }

    /// <summary>Wakes a worker at each hint from outside, and now and then without one: hints may be lost.</summary>
    private async Task ListenAsync()
    {
        var poll = _backend.Capabilities.CrossProcessHints ? _options.MaxPollInterval : _options.MaxPollInterval / 10;
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await _backend.WaitForWorkAsync(poll, _stop.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                Log.ListenerFailed(_logger, e);
                await PauseAsync().ConfigureAwait(false);
            }

            Sender.Hints.WakeOne();
        }
    }

    private async Task PauseAsync()
    {
        try
        {
            await Task.Delay(PauseAfterFailure, _time, _stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Stopping; the loops look for themselves.
        }
    }
}

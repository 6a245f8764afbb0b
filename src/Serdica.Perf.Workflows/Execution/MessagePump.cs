using Microsoft.Extensions.Logging.Abstractions;

namespace Serdica.Perf.Workflows;

/// <summary>
/// Drains the bare queue of a backend with a number of workers, woken as a <see cref="WorkflowHost"/> is: by hints of
/// this process at once, of others through the backend, and by polling when hints are lost.
/// </summary>
public sealed class MessagePump : IAsyncDisposable
{
    private readonly WorkflowOptions _options;
    private readonly TimeProvider _time;
    private readonly Action<HandledMessages> _handled;
    private readonly CounterSet _counters = new();
    private readonly WorkLoop _loop;

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
        TimeProvider? time = null
    )
    {
        _handled = handled;
        _options = (options ?? new WorkflowOptions()).On(backend.Capabilities, receivesMessages: true);
        _time = time ?? TimeProvider.System;
        Sender = new MessageSender(backend, _options, _time);
        var quiet = new QuietLogger(logger ?? NullLogger<MessagePump>.Instance);
        _loop = new WorkLoop(backend, Sender.Hints, _options, _counters, _time, quiet);
    }

    /// <summary>A sender of the same process; what it sends wakes this pump's workers without a detour.</summary>
    public MessageSender Sender { get; }

    public HostCounters Counters => _counters.Read();

    public void Start() => _loop.Start(() => new MessageWorker(Sender.Queue, _handled, _options.ClaimBatch, _time));

    /// <summary>Takes nothing new and commits what is claimed.</summary>
    public async ValueTask DisposeAsync()
    {
        await _loop.DisposeAsync().ConfigureAwait(false);
        await Sender.DisposeAsync().ConfigureAwait(false);
    }
}

/// <summary>Messages of the bare queue whose handling is committed.</summary>
/// <param name="Received">As they were claimed, with the database's clock at the claim.</param>
/// <param name="Commit">From the claim's answer until the commit was durable.</param>
public readonly record struct HandledMessages(ReceivedMessages Received, TimeSpan Commit);

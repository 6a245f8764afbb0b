using Serdica.Perf.Measurement.Queues;

namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// The transport alone: a caller enqueues messages without waiting for each to be durable, and workers pass them to a handler
/// that does nothing. With a delay, each message is due that long after its enqueue.
/// </summary>
internal sealed class MessageBurst : Workload
{
    /// <summary>Messages that are sent and not yet durable; the limit bounds memory and equals a few commits.</summary>
    private const int MaxPending = 4_096;

    private readonly ScenarioParameters _parameters;
    private readonly TimeSpan _delay;
    private readonly MessagePump _pump;
    private Operations? _current;

    /// <param name="delay">How long after its enqueue each message is due; default immediately.</param>
    public MessageBurst(IScenarioStore store, ScenarioParameters parameters, TimeSpan delay = default)
        : base(store, EngineSettings.Options(parameters))
    {
        _parameters = parameters;
        _delay = delay;
        _pump = new MessagePump(Backend, handled => Volatile.Read(ref _current)?.Handled(handled), Options, Troubles);
    }

    public override string Shape => $"message-burst:{_delay}";

    public override int InstancesPerOperation => 0;

    public override HostCounters Counters => _pump.Counters;

    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        await Backend.InitializeAsync(cancellationToken);
        _pump.Start();
    }

    public override OperationSet CreateOperations(int count, bool warmUp)
    {
        var operations = new Operations(count, _pump.Sender, warmUp ? TimeSpan.Zero : _delay, _parameters.PayloadBytes);
        Volatile.Write(ref _current, operations);
        return operations;
    }

    public override async ValueTask DisposeAsync()
    {
        await _pump.DisposeAsync();
        await base.DisposeAsync();
    }

    private sealed class Operations : OperationSet
    {
        private readonly MessageSender _sender;
        private readonly TimeSpan _delay;
        private readonly TimeSpan _leastDelay;
        private readonly int _payloadBytes;
        private readonly SemaphoreSlim _room = new(MaxPending);
        private readonly ConcurrentDictionary<int, (long Begin, TaskCompletionSource<long> Handled)> _waiting = new();
        private readonly byte[] _timesHandled;
        private readonly Findings _unknown = new();
        private readonly Findings _altered = new();
        private readonly Findings _early = new();
        private readonly ConcurrentLatencyRecorder _enqueue;
        private readonly ConcurrentLatencyRecorder _enqueueToHandled;
        private readonly ConcurrentLatencyRecorder? _lateness;

        public Operations(int count, MessageSender sender, TimeSpan delay, int payloadBytes)
            : base(count)
        {
            _sender = sender;
            _delay = delay;
            _leastDelay = Expect.Least(delay);
            _payloadBytes = payloadBytes;
            _timesHandled = new byte[count];
            _enqueue = Phases.Add(PhaseNames.Enqueue);
            _enqueueToHandled = Phases.Add(PhaseNames.EnqueueToHandled);
            _lateness = delay > TimeSpan.Zero ? Phases.Add(PhaseNames.Lateness) : null;
        }

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            await _room.WaitAsync(cancellationToken);
            return SendAsync(operation);
        }

        /// <summary>Called by the pump's workers after each commit.</summary>
        public void Handled(HandledMessages handled)
        {
            var now = Stopwatch.GetTimestamp();
            foreach (var message in handled.Received.Messages)
            {
                if (MessagePayload.OperationOf(message.Payload, _payloadBytes) is not { } operation)
                {
                    _altered.Add($"message {message.Id} has another payload, of {message.Payload.Length} bytes");
                    continue;
                }

                if ((uint)operation >= (uint)Count)
                {
                    _unknown.Add($"message {message.Id} is of no operation");
                    continue;
                }

                // Both times are by the database's clock; the commit is added because a message is handled only then.
                var late = handled.Received.Now - message.Due.At!.Value;
                if (late < TimeSpan.Zero)
                    _early.Add($"message {message.Id} came {-late.TotalMilliseconds:0.###} ms before it was due");
                _lateness?.Record(late + handled.Commit);
                lock (_timesHandled)
                    _timesHandled[operation]++;
                if (_waiting.TryGetValue(operation, out var waiting))
                {
                    // Both times above come from the backend, which might have forgotten the delay in both.
                    if (_delay > TimeSpan.Zero && Stopwatch.GetElapsedTime(waiting.Begin, now) is var after && after < _leastDelay)
                        _early.Add($"message {message.Id} came {after.TotalMilliseconds:0.###} ms after the call that sent it");
                    waiting.Handled.TrySetResult(now);
                }
            }
        }

        public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken)
        {
            lock (_timesHandled)
            {
                var handled = _timesHandled.AsSpan(0, launched);
                return Task.FromResult<IReadOnlyList<VerificationCheck>>([
                    CensusAudit.Equal("messages handled exactly once", launched, handled.Count((byte)1)),
                    CensusAudit.Equal("messages handled never", 0, handled.Count((byte)0)),
                    _unknown.Check("no message of an unknown operation"),
                    _early.Check("no message before its due time"),
                    _altered.Check("every payload as it was sent"),
                ]);
            }
        }

        private async Task SendAsync(int operation)
        {
            var handled = new TaskCompletionSource<long>(RunContinuationsAsynchronously);
            var begin = Stopwatch.GetTimestamp();
            _waiting[operation] = (begin, handled);
            long durable;
            try
            {
                // An accepted message is always written, so there is nothing to cancel here.
                await _sender.SendAsync(MessagePayload.Of(operation, _payloadBytes), _delay, CancellationToken.None);
                durable = Stopwatch.GetTimestamp();
                _enqueue.Record(begin, durable);
            }
            finally
            {
                _room.Release();
            }

            var handledAt = await handled.Task;
            _waiting.TryRemove(operation, out _);
            _enqueueToHandled.Record(durable, Math.Max(durable, handledAt));
        }
    }
}

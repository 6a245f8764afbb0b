namespace Serdica.Perf.Faults.Workload;

/// <summary>
/// Callers that start instances, signal them and wait for their close, one instance each at a time. What failed or has an unknown
/// outcome is repeated with the same keys until it is certain.
/// </summary>
/// <param name="client">Shared by the callers.</param>
/// <param name="name">Of this load; no two loads of a run have the same.</param>
/// <param name="callers">How many; each fourth uses all parts of the workflow, the others signals alone.</param>
/// <param name="thinkTime">How long each waits between two instances.</param>
internal sealed class FaultLoad(WorkflowClient client, HistoryWriter history, string name, int callers, TimeSpan thinkTime)
{
    private const int AllParts = 4;

    private static readonly TimeSpan Pause = FromMilliseconds(20);

    private readonly ConcurrentQueue<Completion> _completions = [];
    private readonly ConcurrentQueue<long> _failures = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenSource _giveUp = new();
    private TimeSpan _limit;
    private Task _callers = Task.CompletedTask;

    /// <summary>Round trips from start to close of callers that send signals alone.</summary>
    public IReadOnlyCollection<Completion> Completions => _completions;

    /// <summary>Times of calls that failed or whose outcome is unknown, of all callers.</summary>
    public IReadOnlyCollection<long> Failures => _failures;

    public void Start() => _callers = Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(() => CallAsync(caller))));

    /// <summary>Lets each caller end its instance.</summary>
    /// <param name="limit">After it the callers give up, which the history says. With zero the process has to end: they just end.</param>
    public async Task StopAsync(TimeSpan limit)
    {
        _limit = limit;
        await _stop.CancelAsync();
        _giveUp.CancelAfter(limit);
        await _callers;
    }

    private async Task CallAsync(int caller)
    {
        for (var n = 0; !_stop.IsCancellationRequested; n++)
        {
            await CallAsync(caller, n);
            await Task.Delay(thinkTime, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task CallAsync(int caller, int n)
    {
        var one = new OneInstance(this, new RecordingClient(client, history, $"{name}{caller}"), $"{name}{caller}-{n}");
        try
        {
            // Each of these callers begins with other parts, so that a short run has them all.
            if (caller % AllParts == AllParts - 1)
                await one.RunPartAsync(n + 2 * (caller / AllParts));
            else
                await CompleteAsync(one);
        }
        catch (KeyNotFoundException)
        {
            // An instance that was started is gone, which the checker will say.
        }
        catch (OperationCanceledException) when (_giveUp.IsCancellationRequested)
        {
            if (_limit > TimeSpan.Zero)
                history.Write(
                    new()
                    {
                        Kind = HistoryKind.GaveUp,
                        Client = $"{name}{caller}",
                        Instance = one.Id,
                    }
                );
        }
    }

    private async Task CompleteAsync(OneInstance one)
    {
        var began = Stopwatch.GetTimestamp();
        await one.SignalsAsync();
        var ended = Stopwatch.GetTimestamp();
        _completions.Enqueue(new(ended, Stopwatch.GetElapsedTime(began, ended)));
    }

    /// <summary>What one caller does with one instance.</summary>
    private sealed class OneInstance(FaultLoad load, RecordingClient client, string key)
    {
        /// <value>Null until its start was answered.</value>
        public Guid? Id { get; private set; }

        public Task SignalsAsync() => AppendAsync(new() { Takes = 2, Expects = 2 }, 2);

        public Task RunPartAsync(int n) =>
            (n % 8) switch
            {
                0 => AppendAsync(
                    new()
                    {
                        Takes = 1,
                        Expects = 1,
                        Works = true,
                    },
                    1
                ),
                1 => AppendAsync(new() { Pause = 40 }, 0),
                2 => AppendAsync(
                    new()
                    {
                        Takes = 1,
                        Expects = 1,
                        Children = 2,
                    },
                    1
                ),
                3 => AppendAsync(
                    new()
                    {
                        Takes = 1,
                        Expects = 2,
                        Works = true,
                        Rounds = 1,
                    },
                    2
                ),
                4 => BufferedAsync(),
                5 => RepeatedAsync(),
                6 => CancelledAsync(),
                _ => PoisonedAsync(),
            };

        private async Task AppendAsync(ShapeState state, int signals)
        {
            var id = await StartAsync(state);
            for (var i = 0; i < signals; i++)
                await SignalAsync(id, ShapedWorkflow.Append, $"{key}-{i}");
            await CloseAsync(id);
        }

        private async Task BufferedAsync()
        {
            var id = await StartAsync(
                new()
                {
                    Gated = true,
                    Takes = 2,
                    Expects = 3,
                }
            );
            await SignalAsync(id, ShapedWorkflow.Append, $"{key}-0");
            await SignalAsync(id, ShapedWorkflow.Append, $"{key}-1");
            await CertainAsync(() => client.ReadAsync<ShapeState>(id));
            await SignalAsync(id, ShapedWorkflow.Begin, $"{key}-begin");
            await CloseAsync(id);
        }

        private async Task RepeatedAsync()
        {
            await StartAsync(new() { Takes = 1, Expects = 1 });
            var id = await StartAsync(new() { Takes = 1, Expects = 1 });
            await SignalAsync(id, ShapedWorkflow.Append, $"{key}-0");
            await SignalAsync(id, ShapedWorkflow.Append, $"{key}-0");
            await CloseAsync(id);
        }

        private async Task CancelledAsync()
        {
            var id = await StartAsync(new() { Takes = 2, Expects = 2 });
            await SignalAsync(id, ShapedWorkflow.Append, $"{key}-0");
            await CertainAsync(() => client.CancelAsync(id, $"{key}-cancel"));
            await CloseAsync(id);
        }

        private async Task PoisonedAsync()
        {
            var id = await StartAsync(new() { Takes = 1, Expects = 1 });
            await SignalAsync(id, ShapedWorkflow.Append, $"poison-{key}");
            await SignalAsync(id, ShapedWorkflow.Append, $"{key}-0");
            await CloseAsync(id);
        }

        private async Task<Guid> StartAsync(ShapeState state)
        {
            var started = await CertainAsync(() => client.StartAsync(ShapedWorkflow.Name, state, $"{key}-start", $"order-{key}"));
            Id = started.Id;
            return started.Id;
        }

        private Task<PublishOutcome> SignalAsync(Guid id, string signal, string signalKey) =>
            CertainAsync(() => client.SignalAsync(id, signal, signalKey, new PublishOptions { DedupKey = signalKey }));

        private Task<InstanceRecord> CloseAsync(Guid id) => CertainAsync(() => client.WaitForCloseAsync(id, load._giveUp.Token));

        private Task<bool> CertainAsync(Func<Task> call) =>
            CertainAsync(async () =>
            {
                await call();
                return true;
            });

        private async Task<T> CertainAsync<T>(Func<Task<T>> call)
        {
            while (true)
            {
                // A process that has to end leaves its instances as they are, and a call that never returns is not waited for.
                load._giveUp.Token.ThrowIfCancellationRequested();
                try
                {
                    return await call().WaitAsync(load._giveUp.Token);
                }
                catch (WorkflowBackendException)
                {
                    load._failures.Enqueue(Stopwatch.GetTimestamp());
                    await Task.Delay(Pause, load._giveUp.Token);
                }
            }
        }
    }
}

/// <summary>An instance that its caller has seen closed.</summary>
internal readonly record struct Completion(long At, TimeSpan Latency);

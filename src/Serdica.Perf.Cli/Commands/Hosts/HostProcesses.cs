namespace Serdica.Perf.Cli.Commands.Hosts;

/// <summary>
/// Several hosts as processes of this program that claim from the same stores. A host that ends before it is asked to ends the
/// measurement: figures before and after would be of different numbers of hosts.
/// </summary>
/// <param name="folder">Gets what the hosts warn of, as <c>hosts/1.log</c>.</param>
/// <param name="patience">How long a host may take to answer; default one minute. Half of it is left for its end.</param>
internal sealed class HostProcesses(int count, IReadOnlyList<string> arguments, RunFolder folder, TimeSpan? patience = null)
{
    private readonly TimeSpan _patience = patience ?? FromMinutes(1);
    private readonly string _logs = Path.Combine(folder.Path, "hosts");
    private readonly TaskCompletionSource<WorkflowBackendException> _broken = new(RunContinuationsAsynchronously);

    public HostSource Source => new(count, OpenAsync);

    private IReadOnlyList<string> Arguments => arguments;

    /// <summary>Measures, until a host ends before it is asked to.</summary>
    /// <exception cref="WorkflowBackendException">A host has ended.</exception>
    public async Task WatchAsync(Func<CancellationToken, Task> measure, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var measuring = measure(stop.Token);
        if (await Task.WhenAny(measuring, _broken.Task) != measuring)
        {
            await stop.CancelAsync();
            await measuring.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        // Ctrl-C reaches the hosts too, and is no fault of theirs.
        cancellationToken.ThrowIfCancellationRequested();
        if (_broken.Task.IsCompleted)
            throw await _broken.Task;
        await measuring;
    }

    private async Task<IHostProcesses> OpenAsync(HostTask task, CancellationToken cancellationToken)
    {
        var hosts = new List<Host>();
        var group = new Group(hosts);
        try
        {
            for (var number = 1; number <= count; number++)
                hosts.Add(new Host(this, number, task));
            await group.ReadyAsync(cancellationToken);
            return group;
        }
        catch
        {
            await group.DisposeAsync();
            throw;
        }
    }

    private sealed class Group(IReadOnlyList<Host> hosts) : IHostProcesses
    {
        public Task ReadyAsync(CancellationToken cancellationToken) =>
            Task.WhenAll(hosts.Select(host => host.ReadyAsync(cancellationToken)));

        public Task StartAsync(CancellationToken cancellationToken) =>
            Task.WhenAll(hosts.Select(host => host.StartAsync(cancellationToken)));

        public async Task<IReadOnlyList<HostUsage>> ReadAsync(CancellationToken cancellationToken) =>
            await Task.WhenAll(hosts.Select(host => host.ReadAsync(cancellationToken)));

        public async ValueTask DisposeAsync() => await Task.WhenAll(hosts.Select(host => host.DisposeAsync().AsTask()));
    }

    private sealed class Host : IAsyncDisposable
    {
        private readonly HostProcesses _all;
        private readonly int _number;
        private readonly Func<string, bool>? _isReport;
        private readonly string _log;
        private readonly StartedProcess _process;
        private readonly SemaphoreSlim _telling = new(1);
        private readonly Queue<TaskCompletionSource<WorkerStatus>> _asked = new();
        private readonly TaskCompletionSource<WorkerStatus> _running = new(RunContinuationsAsynchronously);
        private readonly Task _watching;
        private volatile bool _isEnding;

        public Host(HostProcesses all, int number, HostTask task)
        {
            (_all, _number, _isReport) = (all, number, task.IsReport);
            ISharedStore[] stores = [.. task.Stores.Cast<ISharedStore>()];
            _log = Path.Combine(all._logs, Invariant($"{number}.log"));
            var ownVariable = DatabaseEnvironment.ApplicationVariable(BackendNames.InVariables(stores[0].Backend));
            _process = new(
                $"Host {number}",
                [
                    .. all.Arguments,
                    HostProcessOptions.Number,
                    number.ToString(CultureInfo.InvariantCulture),
                    HostProcessOptions.OfHosts,
                    all.Source.Count.ToString(CultureInfo.InvariantCulture),
                    HostProcessOptions.Store,
                    string.Join(HostProcessOptions.Separator, stores.Select(store => store.Name)),
                ],
                new Dictionary<string, string> { [ownVariable] = stores[0].ConnectionString },
                Take,
                all._patience / 2
            );
            _watching = WatchAsync();
        }

        /// <summary>Returns when the host can start; many start at the same time.</summary>
        public Task ReadyAsync(CancellationToken cancellationToken) =>
            WithinAsync(5 * _all._patience, _process.ReadyAsync(cancellationToken), "was not ready after", cancellationToken);

        /// <summary>Lets the host claim, and returns when it does.</summary>
        public async Task StartAsync(CancellationToken cancellationToken)
        {
            await TellAsync(ParentProcess.Go, null, cancellationToken);
            await AnswerAsync(_running.Task, cancellationToken);
        }

        /// <summary>What it has used and done so far, also before its start.</summary>
        /// <exception cref="WorkflowBackendException">The process has ended, or does not answer.</exception>
        public async Task<HostUsage> ReadAsync(CancellationToken cancellationToken)
        {
            var answer = new TaskCompletionSource<WorkerStatus>(RunContinuationsAsynchronously);
            await TellAsync("status", answer, cancellationToken);
            return (await AnswerAsync(answer.Task, cancellationToken)).ToHost(_number);
        }

        public async ValueTask DisposeAsync()
        {
            _isEnding = true;
            await _process.DisposeAsync();
            await _watching;
            _telling.Dispose();
        }

        private async Task TellAsync(string line, TaskCompletionSource<WorkerStatus>? answer, CancellationToken cancellationToken)
        {
            await _telling.WaitAsync(cancellationToken);
            try
            {
                // Answers come in the order of the questions.
                if (answer is not null)
                {
                    lock (_asked)
                        _asked.Enqueue(answer);
                }

                await _process.TellAsync(line);
            }
            finally
            {
                _telling.Release();
            }
        }

        private async Task<WorkerStatus> AnswerAsync(Task<WorkerStatus> answer, CancellationToken cancellationToken)
        {
            var either = Task.WhenAny(answer, _process.Ended);
            await WithinAsync(_all._patience, either, "has not answered for", cancellationToken);
            return await either == answer ? await answer : throw Problem(await _process.Ended);
        }

        /// <summary>
        /// A host that is late ends the measurement of which it is a part, also where the question was only one of many samples.
        /// </summary>
        private async Task WithinAsync(TimeSpan limit, Task task, string what, CancellationToken cancellationToken)
        {
            try
            {
                await task.WaitAsync(limit, cancellationToken);
            }
            catch (TimeoutException)
            {
                var problem = _process.Problem(Invariant($"{what} {limit.TotalSeconds} s, so the measurement was ended"));
                _all._broken.TrySetResult(problem);
                throw problem;
            }
        }

        private async Task WatchAsync()
        {
            var exitCode = await _process.Ended;
            if (!_isEnding || exitCode != ExitCodes.Success)
                _all._broken.TrySetResult(Problem(exitCode));
        }

        private WorkflowBackendException Problem(int exitCode) =>
            _process.Problem(
                _process.WasKilled ? "did not end when asked to, and was killed"
                : Invariant($"(process {_process.Id}) ended with exit code {exitCode} before its work was done, ")
                    + "so the measurement was ended"
            );

        private bool Take(string line)
        {
            if (line == ParentProcess.Ready)
                return false;
            if (IsReport(line))
                return true;
            if (Status(line) is not { } status)
            {
                WriteLog(line);
                return false;
            }

            // The first status of a host that runs is the answer to its start.
            if (status.State == WorkerSession.Running && _running.TrySetResult(status))
                return true;
            TaskCompletionSource<WorkerStatus>? answer;
            lock (_asked)
                _asked.TryDequeue(out answer);
            answer?.TrySetResult(status);
            return true;
        }

        private bool IsReport(string line)
        {
            try
            {
                return _isReport?.Invoke(line) == true;
            }
            catch (FormatException)
            {
                var problem = Invariant($"Host {_number} reported '{line}', which is not understood, so the measurement was ended.");
                _all._broken.TrySetResult(new(problem, isTransient: false));
                return false;
            }
        }

        /// <summary>Null for other lines, which the user's own workflows may print.</summary>
        private static WorkerStatus? Status(string line)
        {
            try
            {
                return line.StartsWith('{') ? JsonSerializer.Deserialize<WorkerStatus>(line, MeasurementJson.Compact) : null;
            }
            catch (JsonException)
            {
                return null;
            }
        }

        private void WriteLog(string line)
        {
            lock (_asked)
            {
                try
                {
                    Directory.CreateDirectory(_all._logs);
                    File.AppendAllText(_log, line + "\n");
                }
                catch (IOException)
                {
                    // The measurement is worth more than this line, and a message about the host has it too.
                }
            }
        }
    }
}

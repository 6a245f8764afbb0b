namespace Serdica.Perf.Cli.Commands.Hosts;

/// <summary>
/// A process of this program that works for a measurement of this one, see <see cref="ParentProcess"/>. It ends when this object is
/// disposed, and however this process ends.
/// </summary>
internal sealed class StartedProcess : IAsyncDisposable
{
    private const int KeptLines = 20;

    private readonly string _name;
    private readonly Func<string, bool> _isTaken;
    private readonly TimeSpan _endLimit;
    private readonly Process _process;
    private readonly Queue<string> _lastLines = new();
    private volatile TaskCompletionSource _ready = new(RunContinuationsAsynchronously);

    /// <param name="name">For messages: <c>Generator 1</c>.</param>
    /// <param name="arguments">They must hold no secret, because other users of the machine see them.</param>
    /// <param name="isTaken">Gets each line, and says whether it is an answer; the last others are kept for messages.</param>
    /// <param name="endLimit">
    /// How long it may take to end when it is asked to, before it is killed; default one minute. A generator drops its store first,
    /// and a host waits for its activities.
    /// </param>
    public StartedProcess(
        string name,
        IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string> environment,
        Func<string, bool>? isTaken = null,
        TimeSpan? endLimit = null
    )
    {
        _endLimit = endLimit ?? FromMinutes(1);
        _name = name;
        _isTaken = isTaken ?? (static _ => false);
        var start = new ProcessStartInfo(MeasuringProgram.DotNet, ["exec", MeasuringProgram.Here.Assembly, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        foreach (var (variable, value) in environment)
            start.Environment[variable] = value;
        _process = Process.Start(start)!;
        _process.OutputDataReceived += (_, line) => Read(line.Data);
        _process.ErrorDataReceived += (_, line) => Read(line.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        Id = _process.Id;
        Ended = EndAsync();
    }

    public int Id { get; }

    /// <summary>Whether it was killed because it did not end when it was asked to.</summary>
    public bool WasKilled { get; private set; }

    /// <summary>The exit code, when the process has ended and all that it printed is read.</summary>
    public Task<int> Ended { get; }

    /// <summary>Returns when the process can start, or go on. It reports this once for each <see cref="ParentProcess.Go"/>.</summary>
    /// <exception cref="WorkflowBackendException">It has ended.</exception>
    public async Task ReadyAsync(CancellationToken cancellationToken)
    {
        if (await Task.WhenAny(_ready.Task, Ended).WaitAsync(cancellationToken) == Ended)
            throw Problem("ended before it was ready");
        _ready = new(RunContinuationsAsynchronously);
    }

    /// <exception cref="WorkflowBackendException">It has ended.</exception>
    public async Task TellAsync(string line)
    {
        try
        {
            await _process.StandardInput.WriteLineAsync(line);
            await _process.StandardInput.FlushAsync();
        }
        catch (IOException)
        {
            throw Problem("no longer reads its input");
        }
    }

    /// <param name="what">What happened to it: "ended without a result".</param>
    public WorkflowBackendException Problem(string what)
    {
        lock (_lastLines)
            return new(_lastLines.Count == 0 ? $"{_name} {what}." : $"{_name} {what}: {string.Join(" ", _lastLines)}", isTransient: false);
    }

    public async ValueTask DisposeAsync()
    {
        // The end of its input is the request to end.
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended, and has not read the last line.
        }

        try
        {
            await Ended.WaitAsync(_endLimit);
        }
        catch (TimeoutException)
        {
            WasKilled = true;
            _process.Kill(entireProcessTree: true);
            await Ended;
        }

        _process.Dispose();
    }

    private async Task<int> EndAsync()
    {
        await _process.WaitForExitAsync(CancellationToken.None);
        return _process.ExitCode;
    }

    private void Read(string? line)
    {
        if (line is null or "" || _isTaken(line))
            return;
        if (line == ParentProcess.Ready)
        {
            _ready.TrySetResult();
            return;
        }

        lock (_lastLines)
        {
            _lastLines.Enqueue(line);
            if (_lastLines.Count > KeptLines)
                _lastLines.Dequeue();
        }
    }
}

namespace Serdica.Perf.Cli.Output;

/// <summary>Progress as lines: one at the start and end of each scenario, and one every few seconds in between.</summary>
internal sealed class PlainObserver : IConsoleObserver
{
    private readonly Lock _gate = new();
    private readonly Action<string> _writeLine;
    private readonly TimeSpan _interval;
    private readonly Timer _timer;
    private ScenarioProgress? _running;
    private long _startedAt;
    private long _seenAt;
    private int _seen;

    /// <param name="interval">The time between two lines of a running scenario; 5 s when it is <see langword="null"/>.</param>
    public PlainObserver(Action<string> writeLine, TimeSpan? interval = null)
    {
        _writeLine = writeLine;
        _interval = interval ?? FromSeconds(5);
        _timer = new Timer(_ => Tick(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Note(string sentence) => Write(sentence);

    public void ScenarioStarted(ScenarioProgress progress)
    {
        Write(ProgressText.Started(progress));
        lock (_gate)
        {
            (_running, _seen, _startedAt) = (progress, 0, Stopwatch.GetTimestamp());
            _seenAt = _startedAt;
            _timer.Change(_interval, _interval);
        }
    }

    public void ScenarioEnded(ScenarioResult result, JudgedStep? judged)
    {
        Forget();
        foreach (var line in ProgressText.Ended(result, judged))
            Write(line);
    }

    /// <summary>No line is written afterwards, also not by a timer that has fired already.</summary>
    public void Dispose()
    {
        _timer.Dispose();
        Forget();
    }

    private void Forget()
    {
        lock (_gate)
            _running = null;
    }

    private void Tick()
    {
        lock (_gate)
        {
            if (_running is not { } progress)
                return;

            var completed = progress.Completed;
            try
            {
                var (since, elapsed) = (Stopwatch.GetElapsedTime(_seenAt), Stopwatch.GetElapsedTime(_startedAt));
                _writeLine($"  {ProgressText.Line(progress, completed - _seen, since, elapsed)}");
            }
            catch (IOException)
            {
                // A full disk behind the output. What leaves a timer ends the process, and the measurement is worth more than
                // a line of progress; its own files report the disk.
            }

            (_seen, _seenAt) = (completed, Stopwatch.GetTimestamp());
        }
    }

    private void Write(string line)
    {
        lock (_gate)
            _writeLine(line);
    }
}

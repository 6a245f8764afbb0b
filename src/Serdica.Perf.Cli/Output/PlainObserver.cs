using System.Diagnostics;
using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Cli.Output;

/// <summary>Progress as lines: one at the start and end of each scenario, and one every few seconds in between.</summary>
internal sealed class PlainObserver(Action<string> writeLine) : IConsoleObserver
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private readonly Lock _gate = new();
    private ScenarioProgress? _running;
    private Timer? _timer;
    private long _seenAt;
    private int _seen;

    /// <inheritdoc/>
    public void Note(string sentence) => Write(sentence);

    /// <inheritdoc/>
    public void ScenarioStarted(ScenarioProgress progress)
    {
        Write(ProgressText.Started(progress));
        lock (_gate)
        {
            (_running, _seen, _seenAt) = (progress, 0, Stopwatch.GetTimestamp());
            _timer = new Timer(_ => Tick(), null, Interval, Interval);
        }
    }

    /// <inheritdoc/>
    public void ScenarioEnded(ScenarioResult result)
    {
        lock (_gate)
        {
            _timer?.Dispose();
            _running = null;
        }

        foreach (var line in ProgressText.Ended(result))
            Write(line);
    }

    public void Dispose() => _timer?.Dispose();

    private void Tick()
    {
        lock (_gate)
        {
            if (_running is not { } progress)
                return;

            var completed = progress.Completed;
            writeLine($"  {ProgressText.Line(progress, completed - _seen, Stopwatch.GetElapsedTime(_seenAt))}");
            (_seen, _seenAt) = (completed, Stopwatch.GetTimestamp());
        }
    }

    private void Write(string line)
    {
        lock (_gate)
            writeLine(line);
    }
}

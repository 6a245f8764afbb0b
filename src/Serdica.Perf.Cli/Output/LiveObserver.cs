namespace Serdica.Perf.Cli.Output;

/// <summary>Progress on a terminal: one line for the running scenario that is kept up to date, one for each that has ended.</summary>
internal sealed class LiveObserver(IAnsiConsole console) : IConsoleObserver
{
    private static readonly TimeSpan Interval = FromMilliseconds(250);

    private CancellationTokenSource? _stop;
    private Task _display = Task.CompletedTask;

    public void Note(string sentence) => console.MarkupLineInterpolated(CultureInfo.InvariantCulture, $"[yellow]{sentence}[/]");

    public void ScenarioStarted(ScenarioProgress progress)
    {
        _stop = new CancellationTokenSource();
        _display = Task.Run(() => ShowAsync(progress, _stop.Token));
    }

    public void ScenarioEnded(ScenarioResult result, JudgedStep? judged)
    {
        EndDisplay();
        var colour =
            result.Status != ScenarioStatus.Passed ? "red"
            : judged is { Verdict: StepVerdict.Degraded } ? "yellow"
            : "green";
        foreach (var line in ProgressText.Ended(result, judged))
            console.MarkupLine($"[{colour}]{Markup.Escape(line)}[/]");
    }

    public void Dispose() => EndDisplay();

    private void EndDisplay()
    {
        _stop?.Cancel();
        _display.GetAwaiter().GetResult();
        _stop?.Dispose();
        _stop = null;
        _display = Task.CompletedTask;
    }

    private Task ShowAsync(ScenarioProgress progress, CancellationToken stop) =>
        console
            .Status()
            .StartAsync(Markup.Escape(ProgressText.Started(progress)), async status =>
            {
                var startedAt = Stopwatch.GetTimestamp();
                var seen = 0;
                while (!stop.IsCancellationRequested)
                {
                    var begin = Stopwatch.GetTimestamp();
                    await Task.Delay(Interval, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                    var completed = progress.Completed;
                    var (since, elapsed) = (Stopwatch.GetElapsedTime(begin), Stopwatch.GetElapsedTime(startedAt));
                    status.Status(Markup.Escape($"{progress.Name}: {ProgressText.Line(progress, completed - seen, since, elapsed)}"));
                    seen = completed;
                }
            });
}

using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Measurement.Running;

namespace Serdica.Perf.Cli.Tests;

public sealed class PlainObserverTests
{
    private static readonly ScenarioProgress Progress = new(
        "in-memory-scenario",
        new() { Operations = 10, Concurrency = 1, Workers = 1, Load = LoadModel.Closed }
    );

    [Fact]
    public void Progress_has_the_time_since_the_start_of_the_scenario() =>
        Assert.Equal(
            "opening: 0 of 10 done, 0 failed, 2/s, after 1 min 5 s",
            ProgressText.Line(Progress, newlyCompleted: 10, since: FromSeconds(5), elapsed: FromSeconds(65))
        );

    /// <summary>Lines come from a timer, and what leaves a timer ends the process with the measurement in it.</summary>
    [Fact]
    public void Progress_that_cannot_be_written_does_not_end_the_process()
    {
        using var tries = new CountdownEvent(3);
        using var observer = new PlainObserver(
            line =>
            {
                if (!line.StartsWith(' '))
                    return;
                if (!tries.IsSet)
                    tries.Signal();
                throw new IOException("No space left on device");
            },
            FromMilliseconds(5)
        );

        observer.ScenarioStarted(Progress);

        Assert.True(tries.Wait(HangGuard.Limit, Token), "Progress has ended.");
    }

    /// <summary>A scenario that is stopped has no end; the writer may be closed, or read, as soon as the command returns.</summary>
    [Fact]
    public void No_line_comes_after_the_end()
    {
        var lines = new BlockingCollection<string>();
        var writing = new ManualResetEventSlim();
        using (
            var observer = new PlainObserver(
                line =>
                {
                    lines.Add(line, Token);
                    if (line.StartsWith(' '))
                    {
                        // Others fire meanwhile and wait for their turn.
                        writing.Set();
                        Thread.SpinWait(100_000);
                    }
                },
                FromMilliseconds(1)
            )
        )
        {
            observer.ScenarioStarted(Progress);
            observer.ScenarioStarted(Progress);
            Assert.True(writing.Wait(HangGuard.Limit, Token), "There is no progress.");
        }

        var atEnd = lines.Count;
        Assert.False(SpinWait.SpinUntil(() => lines.Count > atEnd, FromMilliseconds(100)), "A line came after the end.");
    }
}

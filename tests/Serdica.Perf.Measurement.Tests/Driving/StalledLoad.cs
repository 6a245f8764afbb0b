namespace Serdica.Perf.Measurement.Tests.Driving;

/// <summary>A load of which some operation never ends. Its time passes only after all others have ended.</summary>
internal static class StalledLoad
{
    public static async Task<LoadOutcome> RunAsync(LoadRun load, ManualClock clock, int completed)
    {
        var running = load.RunAsync(Token);
        while (load.Recorder.Completed < completed)
            await Task.Delay(1, Token);

        while (!running.IsCompleted)
        {
            clock.Advance(FromHours(1));
            await Task.WhenAny(running, Task.Delay(10, Token));
        }

        return await running;
    }
}

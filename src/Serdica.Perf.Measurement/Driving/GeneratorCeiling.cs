namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// The highest rate that the generator alone holds on this machine at this moment. It has the driver and the pacer of a load test,
/// and a round trip over the loopback in place of each operation, because work without input and output, and a pacer that never
/// sleeps, show ten times as much as any load test can reach.
/// </summary>
internal static class GeneratorCeiling
{
    /// <summary>As many as a load test has by default.</summary>
    internal const int Callers = 64;

    private const double FirstRate = 16_000;

    /// <summary>The search ends when the lowest rate that did not hold is less than this many times the highest that did.</summary>
    private const double CloseEnough = 1.25;

    /// <value>Operations a second, set by tests for which any figure will do: the search uses all processors.</value>
    internal static double? Given { get; set; }

    /// <returns>Operations a second.</returns>
    public static async Task<double> MeasureAsync(TimeSpan trial, DriverOptions driver, CancellationToken cancellationToken)
    {
        await using var echo = await LoopbackEcho.OpenAsync(Callers, cancellationToken);
        return await MeasureAsync(trial, driver, echo, cancellationToken);
    }

    /// <param name="echo">What answers the operations; it has a connection for each of the callers of a trial.</param>
    internal static async Task<double> MeasureAsync(
        TimeSpan trial,
        DriverOptions driver,
        LoopbackEcho echo,
        CancellationToken cancellationToken
    )
    {
        Task<bool> Try(double rate) => HoldsAsync(rate, trial, echo, driver, cancellationToken);

        // Compiles the code; its outcome does not count.
        await Try(FirstRate);

        // One pause of a busy machine is not the generator's limit.
        async Task<bool> Holds(double rate) => await Try(rate) || await Try(rate);
        return await SearchAsync(Holds);
    }

    /// <summary>The highest rate that holds: by factors of four until one holds and one does not, then between the two.</summary>
    internal static async Task<double> SearchAsync(Func<double, Task<bool>> holds)
    {
        var (held, failed, rate) = (0.0, double.PositiveInfinity, FirstRate);
        while (failed > CloseEnough * held && rate >= 1)
        {
            if (await holds(rate))
                held = rate;
            else
                failed = rate;
            rate =
                held == 0 ? failed / 4
                : double.IsPositiveInfinity(failed) ? held * 4
                : Math.Sqrt(held * failed);
        }

        return held;
    }

    private static async Task<bool> HoldsAsync(
        double rate,
        TimeSpan trial,
        LoopbackEcho echo,
        DriverOptions driver,
        CancellationToken cancellationToken
    )
    {
        var latest = FromMilliseconds(GeneratorLimit.LagMs);
        var count = ArrivalTimes.AtMost(rate, trial, ArrivalPattern.Uniform);
        var recorder = new LoadRecorder();
        var load = new OpenLoad(
            new RoundTrips(count, echo),
            new(recorder.Begin, rate, trial, count, ArrivalPattern.Uniform, seed: 0),
            Callers,
            recorder,
            driver with { DropAfter = 2 * latest }
        );
        await load.RunAsync(cancellationToken);
        await recorder.WhenIdleAsync().WaitAsync(cancellationToken);
        return recorder.Completed == count
            && recorder.ToLastCompletion <= trial + latest
            && recorder.ScheduleLag.Snapshot().Summarize().P99Ms <= GeneratorLimit.LagMs;
    }

    private sealed class RoundTrips(int count, LoopbackEcho echo) : OperationSet(count)
    {
        public override ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken) =>
            ValueTask.FromResult(echo.RoundTripAsync(cancellationToken));

        public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            Task.FromResult<IReadOnlyList<VerificationCheck>>([]);
    }
}

using System.Diagnostics;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// What the generator itself can do on this machine at this moment: the same driver with operations that do nothing, at a rate
/// that nobody can sustain.
/// </summary>
internal static class GeneratorCeiling
{
    private const double Impossible = 5_000_000;
    private const int MostCallers = 4_096;

    /// <returns>Operations a second.</returns>
    public static async Task<double> MeasureAsync(TimeSpan duration, CancellationToken cancellationToken)
    {
        var count = ArrivalTimes.AtMost(Impossible, duration, ArrivalPattern.Uniform);
        var recorder = new LoadRecorder();
        var load = new OpenLoad(
            new Nothing(count),
            new(recorder.Begin, Impossible, duration, count, ArrivalPattern.Uniform, seed: 0),
            (1, MostCallers),
            recorder,
            new() { Pause = static () => { } });
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        end.CancelAfter(duration);
        try
        {
            await load.RunAsync(end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // This is the planned end.
        }

        return recorder.Completed / Stopwatch.GetElapsedTime(recorder.Begin).TotalSeconds;
    }

    private sealed class Nothing(int count) : OperationSet(count)
    {
        public override ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken) => ValueTask.FromResult(Task.CompletedTask);

        public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            Task.FromResult<IReadOnlyList<VerificationCheck>>([]);
    }
}

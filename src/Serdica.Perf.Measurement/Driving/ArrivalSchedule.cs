using System.Diagnostics;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// Arrivals at a constant rate: the intended start of each, reckoned from the begin of the load and never from the arrival
/// before it, so that what comes late does not move what comes after.
/// </summary>
/// <param name="begin">Reading of the stopwatch at the begin of the load.</param>
/// <param name="perSecond">Arrivals a second, above zero.</param>
internal sealed class ArrivalSchedule(long begin, double perSecond)
{
    /// <summary>Reading of the stopwatch at which an arrival is intended, the first of them at the begin.</summary>
    public long DueAt(int arrival) => begin + (long)(arrival / perSecond * Stopwatch.Frequency);

    /// <summary>Returns when an arrival is due, never before, and up to the timer's resolution of 1 to 2 ms after.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async ValueTask WaitAsync(int arrival, CancellationToken cancellationToken)
    {
        var due = DueAt(arrival);
        while (Stopwatch.GetTimestamp() is var now && now < due)
        {
            // Rounded up, since a timer of less than a millisecond would fire at once.
            var wait = Math.Ceiling(Stopwatch.GetElapsedTime(now, due).TotalMilliseconds);
            await Task.Delay(TimeSpan.FromMilliseconds(wait), cancellationToken).ConfigureAwait(false);
        }
    }
}

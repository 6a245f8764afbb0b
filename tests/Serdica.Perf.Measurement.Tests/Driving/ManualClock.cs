namespace Serdica.Perf.Measurement.Tests.Driving;

/// <summary>Time that goes on when a test says so.</summary>
internal sealed class ManualClock : TimeProvider
{
    private long _elapsed;

    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(0, GetTimestamp());

    public void Advance(TimeSpan time) => Interlocked.Add(ref _elapsed, (long)(time.TotalSeconds * Stopwatch.Frequency));

    public override long GetTimestamp() => Interlocked.Read(ref _elapsed);
}

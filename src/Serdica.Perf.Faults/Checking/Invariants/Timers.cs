using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>All times are the database's.</summary>
internal sealed class Timers()
    : Invariant(11, "timers", "A timer fires once, never before it is due by the database's clock, and no wait is skipped.")
{
    /// <summary>Servers keep times in microseconds, rounded.</summary>
    private static readonly TimeSpan Rounding = FromMicroseconds(2);

    private readonly LatencyHistogram _lateness = new();

    protected override string? Note =>
        _lateness.Count == 0
            ? null
            : Invariant($"Timers were claimed late by {Milliseconds(50):N1} ms (median), {Milliseconds(99):N1} ms (p99).");

    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (run.Turns > 0 && instance.IsCompleted && instance.Row?.Record.Ledger?.Pause is > 0 and var pause && !HasWaited(instance, pause))
        {
            Judged();
            Violated($"Instance {instance.Id} has completed without its timer of {pause} ms.", [instance.Row]);
        }

        foreach (var fired in instance.TimersFired.Where(fired => fired.Fate == Fate.Done).GroupBy(fired => fired.Record.Id))
        {
            Judged();
            if (fired.Count() > 1)
                Violated($"Timer {fired.Key} of instance {instance.Id} fired {fired.Count()} times.", fired.SelectMany(line => line.Lines));
            var armed = instance.TimersArmed.FirstOrDefault(armed => armed.Record.Id == fired.Key && armed.MayBeWritten);
            if (armed is null)
            {
                Violated($"Timer {fired.Key} of instance {instance.Id} fired, and nothing had armed it.", fired.First().Lines);
                continue;
            }

            // What a start armed counts from the row's first write.
            var due = (armed.Record.Time ?? instance.Row?.Record.Time) + FromMicroseconds(armed.Record.Delay ?? 0);
            var late = fired.First().Record.Time - due;
            if (late < -Rounding)
            {
                Violated(
                    $"Timer {fired.Key} of instance {instance.Id} fired {-late.Value.TotalMilliseconds} ms early.",
                    [.. armed.Lines, .. fired.First().Lines]
                );
            }
            else if (late is { } time)
            {
                _lateness.Record(time > TimeSpan.Zero ? time : TimeSpan.Zero);
            }
        }
    }

    private static bool HasWaited(InstanceHistory instance, int pause) =>
        instance.TimersArmed.Any(armed =>
            armed.MayBeWritten
            && armed.Record.Delay == pause * 1_000L
            && instance.TimersFired.Any(fired => fired.MayBeWritten && fired.Record.Id == armed.Record.Id)
        );

    private double Milliseconds(double percentile) => (_lateness.ValueAtPercentile(percentile) ?? 0) / 1e6;
}

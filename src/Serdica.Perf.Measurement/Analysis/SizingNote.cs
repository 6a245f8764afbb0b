using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Analysis;

/// <summary>
/// Where on the capacity ladder of one backend pressure begins: at the first rung whose p95 has grown by more than its
/// throughput has, against the rung below. From there on more callers buy more waiting than work.
/// </summary>
/// <param name="Backend">Whose ladder it is.</param>
/// <param name="LastComfortable">The rung below the first one under pressure, or the highest.</param>
/// <param name="FirstUnderPressure">Null when no rung is.</param>
public sealed record SizingNote(string Backend, ScenarioResult LastComfortable, ScenarioResult? FirstUnderPressure)
{
    /// <param name="rungs">The passed rungs of one backend; fewer than two tell nothing.</param>
    public static SizingNote? Of(IEnumerable<ScenarioResult> rungs)
    {
        var ladder = rungs.Where(rung => rung.ThroughputPerSecond is not null).OrderBy(rung => rung.Parameters.Concurrency).ToArray();
        if (ladder.Length < 2)
            return null;

        for (var rung = 1; rung < ladder.Length; rung++)
        {
            var (below, here) = (ladder[rung - 1], ladder[rung]);
            if (here.ServiceTime.P95Ms / below.ServiceTime.P95Ms > here.ThroughputPerSecond / below.ThroughputPerSecond)
                return new(here.Backend, below, here);
        }

        return new(ladder[^1].Backend, ladder[^1], null);
    }
}

namespace Serdica.Perf.Analysis.LoadTests;

/// <summary>
/// The evidence that a step was offered more than could be completed. Without it an open step is limited by its schedule,
/// whatever its sessions spent their time on: half of a short time is a short time.
/// </summary>
internal static class Saturation
{
    /// <param name="missed">The sentence about a missed rate; null when the rate was held.</param>
    public static string? Of(StepResult step, string? missed) =>
        step switch
        {
            { Kind: not LoadKind.Open } => null,
            { Counts: { Dropped: > 0 } counts } => Invariant(
                $"{counts.Dropped:N0} of {counts.Offered:N0} arrivals found no free caller and were never started."
            ),
            { Counts: { Running: > 0 } counts } => Invariant(
                $"{counts.Running:N0} operations were still running when the drain limit had passed."
            ),
            _ when SustainedLoad.GrowingBacklog(step) is { } growing => growing.Sentence,
            _ when missed is not null => missed,
            _ when step.PeakUsers >= step.MaxUsers && step.Counts.Late > StepJudge.TolerableLate * step.Counts.Offered => Invariant(
                $"{step.Counts.Late:N0} of {step.Counts.Offered:N0} arrivals waited for a free caller; all {step.PeakUsers:N0} were busy."
            ),
            _ => SustainedLoad.GrowingResponse(step),
        };
}

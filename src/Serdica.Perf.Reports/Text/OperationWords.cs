namespace Serdica.Perf.Reports.Text;

/// <summary>What an operation is, in one sentence: a throughput counts operations, and each scenario has its own.</summary>
internal static class OperationWords
{
    /// <summary>An operation of a test of the bare queue.</summary>
    public const string OfQueue = "An operation is a message that is written, read and removed.";

    /// <summary>In the words of docs/glossary.md.</summary>
    private const string RoundTrip = "An operation is a round trip: start an instance, wait, signal it, completion";

    public static string Of(ScenarioResult scenario) =>
        scenario.Family == ScenarioFamilies.SignalRoundtrip
            ? $"{RoundTrip}."
            : $"What an operation is: {scenario.Description.TrimEnd('.')}.";

    public static string Of(LoadProfile profile) =>
        profile switch
        {
            { Mix.Count: > 0 } => $"An operation is of one of several kinds, by weight: {OperationMix.Text(profile.Mix)}.",
            { Workflow: not LoadProfile.ShapedWorkflow } => $"An operation is one of the workflow {profile.Workflow}.",
            { Work.Trigger: WorkTrigger.Direct } => $"An operation is an instance whose start triggers its work ({profile.Work.Words}).",
            _ => profile.Work == new WorkShape() ? $"{RoundTrip}." : $"{RoundTrip} ({profile.Work.Words}).",
        };
}

namespace Serdica.Perf.Measurement.Running;

/// <summary>The wording of progress, shared by terminals, logs and tests.</summary>
internal static class ProgressText
{
    public static string Started(ScenarioProgress progress)
    {
        var parameters = progress.Parameters;
        return Invariant($"{progress.Name}{Repeat(parameters)}: {Amount(parameters)}, concurrency {parameters.Concurrency}, ")
            + Invariant($"{Results.Figure.Workers(parameters.Workers, parameters.Hosts)}, {parameters.Load.ToString().ToLowerInvariant()}");
    }

    /// <summary>One line, and another for each reason of a failure.</summary>
    /// <param name="judged">The verdict on it as a step; null for a scenario by itself.</param>
    public static IEnumerable<string> Ended(ScenarioResult result, JudgedStep? judged = null)
    {
        var latency = result.ResponseTime.Shown();
        var name = result.Name + Repeat(result.Parameters);
        yield return result.Status == ScenarioStatus.Passed
            ? Invariant($"{name}: {Passed(result, judged)}{Figure(", {0:N0}/s", result.ShownPerSecond)}")
                + Invariant($"{Figure(", avg {0:N2} ms", latency.AverageMs)}{Figure(", p95 {0:N2} ms", latency.P95Ms)}")
                + Invariant($"{Figure(", p99 {0:N2} ms", latency.P99Ms)}{Figure(", max {0:N2} ms", latency.MaxMs)}")
            : $"{name}: {(result.FailsTheRun ? result.Status.ToString().ToUpperInvariant() : "did not hold")}";
        foreach (var reason in result.FailureReasons)
            yield return $"  {reason}";
    }

    /// <summary>The progress of a scenario, with its rate since the previous line.</summary>
    public static string Line(ScenarioProgress progress, int newlyCompleted, TimeSpan since, TimeSpan elapsed) =>
        Invariant($"{progress.Phase.Words()}: {progress.Completed:N0}{Of(progress.Planned)} done, {progress.Failed:N0} failed, ")
        + Invariant($"{newlyCompleted / since.TotalSeconds:N0}/s, after {Results.Figure.Duration(elapsed)}");

    /// <summary>
    /// What became of a scenario that passed. A step has a verdict, which may be a reservation; a trial of a search has only held or not.
    /// </summary>
    private static string Passed(ScenarioResult result, JudgedStep? judged) =>
        (result, judged) switch
        {
            (_, null) => "passed",
            ({ IsTrial: true }, { Verdict: StepVerdict.Passed }) => "held",
            ({ IsTrial: true }, { Reasons: var reasons }) => $"did not hold{FirstWords(reasons)}",
            ({ Unverified: { } reason }, _) => $"UNVERIFIED{FirstWords([reason])}",
            (_, { Verdict: var verdict, Reasons: var reasons }) => $"{verdict.ToString().ToUpperInvariant()}{FirstWords(reasons)}",
        };

    /// <summary>The first reason up to its details, in parentheses; the whole sentence is in the summary at the end.</summary>
    private static string FirstWords(IReadOnlyList<string> reasons)
    {
        if (reasons is not [{ Length: > 0 } reason, ..])
            return "";
        var end = ((string[])[": ", "; ", " ("]).Select(mark => reason.IndexOf(mark, Ordinal)).Where(at => at > 0);
        var words = reason[..end.DefaultIfEmpty(reason.Length).Min()].TrimEnd('.');
        return $" ({char.ToLowerInvariant(words[0])}{words[1..]})";
    }

    /// <summary>Empty for a figure that does not exist, or has too few operations behind it.</summary>
    private static string Figure(string format, double? value) =>
        value is null ? "" : string.Format(CultureInfo.InvariantCulture, format, value);

    /// <summary>Empty for a load that lasts for a fixed time.</summary>
    private static string Of(int planned) => planned > 0 ? Invariant($" of {planned:N0}") : "";

    private static string Amount(ScenarioParameters parameters) =>
        parameters.DurationSeconds is { } seconds
            ? $"for {Quantity.Text(FromSeconds(seconds))}"
            : Invariant($"{parameters.Operations:N0} operations");

    private static string Repeat(ScenarioParameters parameters) => parameters.Repeat > 1 ? $" (repeat {parameters.Repeat})" : "";
}

namespace Serdica.Perf.Analysis.Gates;

/// <summary>Reads <c>perf-gate.json</c>, and rejects settings that would silently have no effect.</summary>
internal static class GateReader
{
    /// <exception cref="GateException">The file does not exist, or is invalid.</exception>
    public static GateSettings Read(string path)
    {
        try
        {
            return Parse(File.ReadAllText(path), path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new GateException($"The gate '{path}' cannot be read: {error.Message} Name a file such as eng/perf-gate.json.", error);
        }
    }

    /// <exception cref="GateException">The text is invalid.</exception>
    public static GateSettings Parse(string json, string path)
    {
        GateSettings gate;
        try
        {
            gate = JsonSerializer.Deserialize<GateSettings>(json, MeasurementJson.Artifacts)
                ?? throw new GateException($"The gate '{path}' contains only null.");
        }
        catch (JsonException error)
        {
            throw new GateException(
                $"The gate '{path}' is not understood: {JsonMistake.Words(error)}. It may have minimumEffect, metrics "
                    + "(minimumEffect, noiseFloor), relative (scenario, metric, worseBy), objectives (scenario, metric, least, most), "
                    + "quarantine (scenario, metric, reason, expires) and abort (afterRepeats, factor).",
                error
            );
        }

        return Mistakes(gate).FirstOrDefault() is { } mistake
            ? throw new GateException($"The gate '{path}' cannot be used: {mistake}")
            : gate;
    }

    private static IEnumerable<string> Mistakes(GateSettings gate)
    {
        if (gate.Relative.Count + gate.Objectives.Count == 0)
            yield return "it has no limit, neither relative nor an objective.";
        if (!IsShare(gate.MinimumEffect))
            yield return Invariant($"minimumEffect is {gate.MinimumEffect}; 0.05 means 5 %, and it lies between 0 and 1.");
        foreach (var (name, metric) in gate.Metrics)
        {
            if (metric.MinimumEffect is { } effect && !IsShare(effect))
                yield return Invariant($"minimumEffect of {name} is {effect}; 0.05 means 5 %, and it lies between 0 and 1.");
            if (metric.NoiseFloor is not (null or >= 0 and <= 2))
                yield return Invariant($"noiseFloor of {name} is {metric.NoiseFloor}; 0.3 means 30 %, and it lies between 0 and 2.");
        }

        foreach (var name in gate.Metrics.Keys.Where(name => !MetricDirections.IsKnown(name)))
            yield return $"metrics has {name}, and no metric has that name.{ClosestName.Question(name, MetricDirections.Names)}";
        var (relative, absolute) = (gate.Relative.Select(limit => limit.Metric), gate.Objectives.Select(objective => objective.Metric));
        foreach (
            var metric in gate
                .Quarantine.Select(quarantine => quarantine.Metric)
                .Where(metric => !Gate.Matches(metric, Gate.VerificationMetric))
                .Concat(relative)
                .Where(metric => !HasMetric(metric))
                .Concat(absolute.Where(metric => !MetricDirections.IsKnown(metric)))
        )
        {
            yield return $"no metric has the name {metric}. There are {string.Join(", ", MetricDirections.Names)}; "
                + $"other phases have the same percentiles as start.{ClosestName.Question(metric, MetricDirections.Names)}";
        }

        foreach (
            var metric in relative.Where(metric =>
                MetricDirections.IsKnown(metric) && MetricDirections.Of(metric) == MetricDirection.Neutral
            )
        )
            yield return $"{metric} has no better or worse, so a relative limit on it would hold nothing. An objective may bound it.";
        foreach (var limit in gate.Relative.Where(limit => !(limit.WorseBy >= 0)))
            yield return Invariant(
                $"worseBy of {limit.Scenario} {limit.Metric} is {limit.WorseBy}; 0.1 means 10 %, and it is not below 0."
            );
        foreach (var limit in gate.Relative.Where(limit => limit.WorseBy > 0))
        {
            string[] limited =
            [
                .. MetricDirections.Names.Concat(gate.Metrics.Keys).Where(name => Gate.Matches(limit.Metric, name)),
                limit.Metric,
            ];
            if (limit.WorseBy >= 1 && limited.FirstOrDefault(MetricDirections.IsRate) is { } rate)
                yield return Invariant($"worseBy of {limit.Scenario} {limit.Metric} is {limit.WorseBy}; 0.1 means 10 %, and {rate} cannot ")
                    + "fall by more than 100 %.";
            var effect = limited.Max(gate.Comparison.MinimumEffectOf);
            if (limit.WorseBy < effect)
                yield return Invariant(
                    $"worseBy of {limit.Scenario} {limit.Metric} is {limit.WorseBy}, and smaller changes than its minimumEffect of "
                ) + Invariant($"{effect} are not judged; raise worseBy, or lower minimumEffect.");
        }

        foreach (var objective in gate.Objectives.Where(objective => objective.Least is null && objective.Most is null))
            yield return Invariant($"the objective {objective.Scenario} {objective.Metric} has neither least nor most.");
        if (gate.Abort is { AfterRepeats: < 2 })
            yield return $"afterRepeats of abort is {gate.Abort.AfterRepeats}; one repeat may be an accident, so it is at least 2.";
        if (gate.Abort is not null && !(gate.Abort.Factor > 1))
            yield return Invariant($"factor of abort is {gate.Abort.Factor}; 2 means twice beyond a limit, and it is above 1.");
    }

    /// <summary>Whether the name or pattern matches any metric; scenarios may have their own phases.</summary>
    private static bool HasMetric(string metric) =>
        MetricDirections.IsKnown(metric)
        || MetricDirections.Names.Any(name => Gate.Matches(metric, name))
        || metric.EndsWith(".p*", Ordinal);

    private static bool IsShare(double value) => value is > 0 and < 1;
}

/// <summary>The gate's file cannot be used. The message says which file, what is wrong with it and what would be right.</summary>
internal sealed class GateException(string message, Exception? inner = null) : Exception(message, inner);

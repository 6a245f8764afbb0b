using System.Text.Json.Nodes;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>
/// Finds the differences in the conditions of two measurements, each as a phrase for people. The measured code is not one of
/// them.
/// </summary>
internal static class Likeness
{
    /// <summary>
    /// Whether two runs are like ones: the same scenarios on the same backends, each under the same conditions. The code, and what
    /// was measured, may differ.
    /// </summary>
    public static bool AreLike(RunResult before, RunResult after)
    {
        return after.Scenarios.Count > 0
            && after.Scenarios.Select(scenario => scenario.Name).ToHashSet().SetEquals(before.Scenarios.Select(scenario => scenario.Name))
            && !AllDifferences(before, after).Any();
    }

    /// <summary>Differences of two runs, and of those scenarios that both have, with their databases.</summary>
    public static IEnumerable<string> AllDifferences(RunResult before, RunResult after) =>
        Differences(before, after)
            .Concat(
                from left in before.Scenarios
                let right = after.Scenarios.FirstOrDefault(scenario => scenario.Name == left.Name)
                where right is not null
                from phrase in Differences(left, right)
                    .Concat(Differences(RunComparer.Database(before, left), RunComparer.Database(after, right)))
                select phrase
            );

    /// <summary>Differences in machine, runtime and build of two runs, and reasons why one of them cannot be compared.</summary>
    public static IReadOnlyList<string> Differences(RunResult before, RunResult after)
    {
        return
        [
            .. Properties("machine", before.Environment.Machine, after.Environment.Machine),
            .. Properties("runtime", before.Environment.Runtime, after.Environment.Runtime),
            .. Unfit(before, after),
        ];
    }

    /// <summary>Differences in versions, durability and settings of the database of one backend; its address does not matter.</summary>
    public static IReadOnlyList<string> Differences(DatabaseDescription? before, DatabaseDescription? after) =>
        before is null || after is null
            ? before == after
                ? []
                : ["database: described in one run only"]
            :
            [
                .. Properties(
                    "database",
                    before with { Connection = null, Backend = "", Capabilities = [] },
                    after with { Connection = null, Backend = "", Capabilities = [] }
                ),
            ];

    /// <summary>Differences in definition and parameters.</summary>
    public static IReadOnlyList<string> Differences(ScenarioResult before, ScenarioResult after) =>
        [.. DefinitionDifferences(before, after), .. ParameterDifferences(before, after)];

    /// <summary>Differences in the work itself.</summary>
    public static IReadOnlyList<string> DefinitionDifferences(ScenarioResult before, ScenarioResult after)
    {
        return before.DefinitionHash == after.DefinitionHash
            ? []
            : [Phrase("definition hash", before.DefinitionHash, after.DefinitionHash)];
    }

    /// <summary>Differences in operations, concurrency, workers, load, engine settings and options.</summary>
    public static IReadOnlyList<string> ParameterDifferences(ScenarioResult before, ScenarioResult after) =>
        [.. Properties("", Comparable(before.Parameters), Comparable(after.Parameters))];

    /// <summary>An injected delay stands for slow code, which is what a comparison is about.</summary>
    private static ScenarioParameters Comparable(ScenarioParameters parameters) => parameters with { Repeat = 1, StepDelayMs = null };

    /// <summary>Why the figures of either run do not describe its code.</summary>
    internal static IEnumerable<string> Unfit(RunResult before, RunResult after) =>
        Unfit("base", before.Environment.Runtime).Concat(Unfit("candidate", after.Environment.Runtime));

    /// <inheritdoc cref="Unfit(RunResult, RunResult)"/>
    internal static IEnumerable<string> Unfit(string side, RuntimeDescription runtime) =>
        DebugBuild.Of(runtime).Concat(DebuggerAttached.Of(runtime)).Select(warning => $"{side}: {warning.Code}");

    private static IEnumerable<string> Properties<T>(string of, T before, T after)
    {
        // Most of what is compared is equal, and writing it out takes long.
        if (EqualityComparer<T>.Default.Equals(before, after))
            return [];
        var (left, right) = (Flatten(before), Flatten(after));
        return from name in left.Keys.Union(right.Keys)
               let pair = (Before: left.GetValueOrDefault(name), After: right.GetValueOrDefault(name))
               where pair.Before != pair.After
               select Phrase($"{of} {name}".TrimStart(), pair.Before, pair.After);
    }

    private static Dictionary<string, string?> Flatten<T>(T part) =>
        JsonSerializer
            .SerializeToNode(part, MeasurementJson.Compact)!
            .AsObject()
            .SelectMany(member =>
                member.Value is JsonObject inner
                    ? inner.Select(pair => KeyValuePair.Create($"{member.Key}.{pair.Key}", pair.Value))
                    : [member]
            )
            .ToDictionary(member => member.Key, member => member.Value?.ToString());

    private static string Phrase(string name, string? before, string? after) => $"{name}: {before ?? "none"} against {after ?? "none"}";
}

using System.Text.Json.Nodes;
using Serdica.Perf.Analysis.Capacity;

namespace Serdica.Perf.Analysis.Recomputing;

/// <summary>
/// Computes the figures of a run again from its raw data: histograms, numbers of operations, and readings. Readings, such as
/// counters of the server, waits and the length of a window, are raw data themselves.
/// </summary>
/// <param name="Wrong">One sentence for each figure that the raw data do not give.</param>
internal sealed record Recomputation(int Figures, IReadOnlyList<string> Wrong)
{
    /// <summary>A number that was written and read keeps all its digits; only sums in another order differ.</summary>
    private const double Tolerance = 1e-9;

    private static readonly string[] FiguresOfScenario =
    [
        "throughputPerSecond",
        "serviceTime",
        "responseTime",
        "latencyToDrain",
        "phases",
        "generatorLag",
        "lateness",
        "timeline",
        "costPerOperation",
    ];

    /// <exception cref="BaselineException">It cannot be read.</exception>
    public static Recomputation Of(string path) => Of(RunArtifacts.Read(path), BaselineReader.ReadDocument(path));

    public static Recomputation Of(RunArtifacts artifacts, JsonNode document)
    {
        var wrong = artifacts.Run.Scenarios.SelectMany(scenario => ScenarioFigures.Missing(artifacts, scenario)).ToList();
        if (wrong.Count > 0)
            return new(0, wrong);

        var scenarios = artifacts.Run.Scenarios.Select(scenario => ScenarioFigures.Of(artifacts, scenario)).ToArray();
        var run = artifacts.Run with
        {
            Scenarios = scenarios,
            Repeats = RepeatSummary.Of(scenarios),
            Ladders = CapacityLadders.Of(scenarios),
        };
        var again = JsonSerializer.SerializeToNode(run, MeasurementJson.Artifacts)!;
        var figures = 0;
        foreach (var stored in Numbers(document).Where(number => IsFigure(number.Path)))
        {
            figures++;
            var computed = At(again, stored.Path);
            if (computed is null || Math.Abs(computed.Value - stored.Value) > Tolerance * Math.Abs(stored.Value))
                wrong.Add(
                    Invariant($"{Name(artifacts.Run, stored.Path)} is {stored.Value}, and its raw data give ")
                        + $"{(computed is { } value ? $"{value}" : "no such figure")}."
                );
        }

        if (figures == 0)
            wrong.Add("The run measured no scenario: it has no figure that could be checked.");
        return new(figures, wrong);
    }

    private static bool IsFigure(IReadOnlyList<object> path) =>
        path switch
        {
            ["scenarios", int, string figure, ..] => FiguresOfScenario.Contains(figure),
            ["repeats", ..] => true,
            ["ladders", int, "rungs", ..] => true,
            _ => false,
        };

    private static string Name(RunResult run, IReadOnlyList<object> path) =>
        path is ["scenarios", int index, ..] ? $"{run.Scenarios[index].Name}: {string.Join('.', path.Skip(2))}" : string.Join('.', path);

    private static double? At(JsonNode document, IReadOnlyList<object> path)
    {
        JsonNode? node = document;
        foreach (var part in path)
        {
            node = (node, part) switch
            {
                (JsonObject members, string name) => members[name],
                (JsonArray items, int index) when index < items.Count => items[index],
                _ => null,
            };
        }

        return node is JsonValue value && value.GetValueKind() == JsonValueKind.Number ? Number(value) : null;
    }

    private static IEnumerable<(IReadOnlyList<object> Path, double Value)> Numbers(JsonNode? node, params object[] path) =>
        node switch
        {
            JsonObject members => members.SelectMany(member => Numbers(member.Value, [.. path, member.Key])),
            JsonArray items => items.SelectMany((item, index) => Numbers(item, [.. path, index])),
            JsonValue value when value.GetValueKind() == JsonValueKind.Number => [(path, Number(value))],
            _ => [],
        };

    private static double Number(JsonValue value) => double.Parse(value.ToJsonString(), CultureInfo.InvariantCulture);
}

namespace Serdica.Perf.Delivery.Tests;

/// <summary>The runs of TestResults/baselines that documents cite.</summary>
internal static partial class KeptRun
{
    /// <summary>The folders to one of whose files a line of a document links.</summary>
    public static IEnumerable<string> Cited(string document, string line, params string[] files) =>
        Link()
            .Matches(line)
            .Where(match => files.Contains(match.Groups["file"].Value))
            .Select(match => Path.GetFullPath(Path.Combine(Repository.PathOf(document), "..", match.Groups["folder"].Value)));

    /// <summary>A file of a kept run as it is, because some were written by an older version of this program.</summary>
    public static JsonNode Json(string folder, string name)
    {
        var file = JsonFile.In(folder, name) ?? throw new FileNotFoundException($"{folder} has no {name}.");
        return JsonNode.Parse(JsonFile.Read(file))!;
    }

    /// <summary>All measurements of a kept run that passed, without those in memory beside them; none when they are not kept.</summary>
    public static IEnumerable<ScenarioResult> Measured(string folder) =>
        JsonFile.Exists(folder, RunFolder.SummaryFile)
            ? BaselineReader
                .Read(folder)
                .Scenarios.Where(scenario =>
                    scenario.ThroughputPerSecond is not null && Path.GetFileName(folder).StartsWith(scenario.Backend)
                )
            : [];

    [GeneratedRegex(@"\]\((?<folder>[^)]*)/(?<file>[^/)]+)\)")]
    private static partial Regex Link();
}

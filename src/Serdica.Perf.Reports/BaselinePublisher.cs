using System.IO.Compression;
using System.Text.Json.Nodes;
using Serdica.Perf.Analysis.Recomputing;
using Serdica.Perf.Analysis.Warnings;
using Serdica.Perf.Results.Scrubbing;

namespace Serdica.Perf.Reports;

/// <summary>
/// Turns a run into baselines that may be shown to anybody: one pair of Markdown and compressed JSON for each backend, with the raw
/// data of each figure, without paths of the machine and without secrets. What is left out is said in both.
/// </summary>
internal static partial class BaselinePublisher
{
    /// <summary>Where baselines are kept, relative to the root of the repository.</summary>
    public static readonly string DefaultFolder = Path.Combine("docs", "baselines");

    /// <param name="artifacts">A run that has passed, of a Release build, with its raw data.</param>
    /// <param name="folder">Made when it is not there; nothing in it is ever overwritten.</param>
    /// <param name="number">
    /// The number of the first backend; null takes the one after the highest in the folder. Others get the numbers after it.
    /// </param>
    /// <param name="withInMemory">Whether the in-memory backend, which is the measure of the harness, gets a pair too.</param>
    /// <returns>The files, in the order of the backends.</returns>
    /// <exception cref="BaselineException">The run is not fit for a baseline, or a number is taken; nothing was written.</exception>
    public static IReadOnlyList<string> Publish(RunArtifacts artifacts, string folder, int? number, bool withInMemory)
    {
        var run = artifacts.Run;
        UnfitRun.Refuse(run);
        var backends = run
            .Databases.Where(database => withInMemory || !database.IsInProcess)
            .Select(database => database.Backend)
            .Where(backend => run.Scenarios.Any(scenario => scenario.Backend == backend))
            .Distinct()
            .ToArray();
        if (backends.Length == 0)
            throw new BaselineException(
                $"The run {run.RunId} measured no database. To publish the in-memory backend, add --in-memory."
            );

        var taken = Directory.Exists(folder) ? Taken(folder) : [];
        var first = number ?? taken.DefaultIfEmpty(0).Max() + 1;
        if (Enumerable.Range(first, backends.Length).Where(taken.Contains).Select(value => (int?)value).FirstOrDefault() is { } used)
            throw new BaselineException(
                $"There is already a baseline number {used} in '{folder}'. Published baselines are not replaced; choose another number."
            );

        var baselines = backends.Select((backend, index) => Prepare(artifacts, backend, first + index)).ToArray();
        foreach (var baseline in baselines)
            RefuseWithoutRawData(baseline);
        Directory.CreateDirectory(folder);
        var files = baselines.SelectMany(baseline => Files(folder, baseline)).ToArray();
        WholeFile.WriteNew(files);
        return [.. files.Select(file => file.Path)];
    }

    /// <summary>The part of a run that is about one backend, as it is published. Measurements of the harness stay with it.</summary>
    private static RunResult Prepare(RunArtifacts artifacts, string backend, int number)
    {
        var run = artifacts.Run;
        var kept = run
            .Databases.Where(database => database.Backend == backend || database.IsInProcess)
            .Select(database => database.Backend)
            .ToHashSet();
        var names = run.Scenarios.Where(scenario => kept.Contains(scenario.Backend)).Select(scenario => scenario.Name).ToHashSet();
        var others = run.Databases.Select(database => database.Backend).Where(name => !kept.Contains(name)).ToArray();
        var part = run with
        {
            Databases =
            [.. run.Databases.Where(database => kept.Contains(database.Backend)).Select(database => database with { Connection = null })],
            Scenarios = [.. run.Scenarios.Where(scenario => kept.Contains(scenario.Backend))],
            Ladders = [.. run.Ladders.Where(ladder => kept.Contains(ladder.Backend))],
            Repeats = [.. run.Repeats.Where(repeat => names.Contains(repeat.Name))],
            Warnings = [.. run.Warnings.Where(warning => warning.Scenario is null || names.Contains(warning.Scenario))],
        };

        var leftOut = new List<string>();
        if (run.Databases.Any(database => kept.Contains(database.Backend) && database.Connection is not null))
            leftOut.Add("How the server was reached.");
        if (others.Length > 0)
            leftOut.Add($"Other backends of the run: {string.Join(", ", others)}.");
        var clean = Scrub(part, leftOut);
        var date = run.StartedAt.UtcDateTime.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        return clean with
        {
            Publication = new()
            {
                Name = Invariant($"{number:00}-{backend}-performance-baseline-{date}"),
                Number = number,
                Backend = backend,
                LeftOut = leftOut,
                Histograms = ByPath(
                    part.Scenarios.SelectMany(scenario =>
                        scenario.Histograms.Select(file => (file.Value, artifacts.Histogram(scenario, file.Key)?.ToDocument()))
                    )
                ),
                Intervals = ByPath(
                    part.Scenarios.Where(scenario => scenario.IntervalHistograms is not null)
                        .Select(scenario => (scenario.IntervalHistograms!, artifacts.Intervals(scenario)))
                ),
                Samples = [.. part.Scenarios.SelectMany(artifacts.Samples)],
            },
        };
    }

    private static Dictionary<string, T> ByPath<T>(IEnumerable<(string Path, T? Document)> files)
        where T : class => files.Where(file => file.Document is not null).ToDictionary(file => file.Path, file => file.Document!);

    private static void RefuseWithoutRawData(RunResult baseline)
    {
        var recomputed = Recomputation.Of(
            new(baseline, folder: null),
            JsonSerializer.SerializeToNode(baseline, MeasurementJson.Artifacts)!
        );
        if (recomputed.Wrong is [var first, ..])
            throw new BaselineException(
                $"The run {baseline.RunId} cannot be published, because its figures cannot be computed again from its raw data. {first} "
                    + "Name the whole run folder, or measure again with this version."
            );
    }

    private static int[] Taken(string folder) =>
        [
            .. Directory
                .EnumerateFiles(folder)
                .Where(file => !file.EndsWith(WholeFile.Draft, Ordinal))
                .Select(file => Path.GetFileName(file).Split('-')[0])
                .Select(text => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : 0)
                .Where(value => value > 0),
        ];

    /// <summary>Every text of the run, whatever holds it: settings, reasons and commands may all name a path.</summary>
    private static RunResult Scrub(RunResult run, List<string> leftOut)
    {
        var document = JsonSerializer.SerializeToNode(run, MeasurementJson.Artifacts)!;
        var (secrets, paths) = (new List<string>(), new List<string>());
        foreach (var text in Texts(document).ToArray())
        {
            var original = text.GetValue<string>();
            var withoutSecrets = SecretScrubber.Scrub(original);
            var clean = PathScrubber.Scrub(withoutSecrets);
            if (withoutSecrets != original)
                secrets.Add(text.GetPath().TrimStart('$', '.'));
            if (clean != withoutSecrets)
                paths.Add(text.GetPath().TrimStart('$', '.'));
            if (clean != original)
                text.ReplaceWith(clean);
        }

        if (secrets.Count > 0)
            leftOut.Add($"What looked like a secret, in {string.Join(", ", secrets)}.");
        if (paths.Count > 0)
            leftOut.Add($"Paths of the measuring machine, in {string.Join(", ", paths)}.");
        return document.Deserialize<RunResult>(MeasurementJson.Artifacts)!;
    }

    private static IEnumerable<JsonValue> Texts(JsonNode? node) =>
        node switch
        {
            JsonObject part => part.SelectMany(member => Texts(member.Value)),
            JsonArray list => list.SelectMany(Texts),
            JsonValue value when value.GetValueKind() == JsonValueKind.String => [value],
            _ => [],
        };

    private static IEnumerable<(string Path, Action<Stream> Write)> Files(string folder, RunResult baseline)
    {
        using var report = new StringWriter(CultureInfo.InvariantCulture);
        MarkdownReport.Write(report, baseline);
        var stem = Path.Combine(folder, baseline.Publication!.Name);
        var text = Squeezed(report.ToString());
        yield return ($"{stem}.md", file => file.Write(Encoding.UTF8.GetBytes(text)));
        yield return (
            stem + BaselineReader.CompressedExtension,
            file =>
            {
                using var zip = new GZipStream(file, CompressionLevel.SmallestSize);
                JsonSerializer.Serialize(zip, baseline, MeasurementJson.Compact);
            }
        );
    }

    /// <summary>Tables without the blanks and dashes that only align them: they are most of the bytes of the report.</summary>
    private static string Squeezed(string markdown) => Row().Replace(markdown, table => Blanks().Replace(table.Value, "$1$2"));

    /// <summary>A row of a table.</summary>
    [GeneratedRegex(@"^\|.*\|$", RegexOptions.Multiline)]
    private static partial Regex Row();

    /// <summary>Repeated blanks, and the dashes of a line that are more than three.</summary>
    [GeneratedRegex("( ) +|(---)-+")]
    private static partial Regex Blanks();
}

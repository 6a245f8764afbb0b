using Serdica.Perf.Results.Queues;

namespace Serdica.Perf.Results.Folders;

/// <summary>
/// The folder of one run. The samples file grows line by line; every other file is written as a whole or not at all. No file is ever
/// removed: the files of a failed or aborted run stay, and their first lines say how it ended.
/// </summary>
internal sealed class RunFolder
{
    public const string ManifestFile = "manifest.json";
    public const string SummaryFile = "summary.json";

    /// <summary>The run on one screen.</summary>
    public const string ReportFile = "summary.md";

    /// <summary>Every table of the run.</summary>
    public const string DetailsFile = "details.md";

    public const string CsvFile = "summary.csv";
    public const string PageFile = "report.html";
    public const string SamplesFile = "samples.ndjson";

    /// <summary>Exists only when the run was asked to keep its operations.</summary>
    public const string OperationsFile = "operations.ndjson";

    /// <summary>The result of a load test, beside the summary.</summary>
    public const string LoadFile = "load.json";

    /// <summary>The load test's report for people.</summary>
    public const string LoadReportFile = "load.md";

    /// <summary>The result of a test of the bare queue, beside the summary.</summary>
    public const string QueueFile = "queue.json";

    /// <summary>The queue test's report for people.</summary>
    public const string QueueReportFile = "queue.md";

    /// <summary>The run compared with the base of its gate.</summary>
    public const string ComparisonFile = "comparison.md";

    /// <summary>The folder that contains all runs, relative to the root of the repository.</summary>
    public static readonly string DefaultRoot = System.IO.Path.Combine("TestResults", "workflow-performance");

    private RunFolder(string path) => Path = path;

    public string Path { get; }

    /// <summary>The folder's name.</summary>
    public string RunId => System.IO.Path.GetFileName(Path);

    /// <summary>Creates <c>root/(UTC time)-(backend)-(tier)</c> with its manifest; see <see cref="CreateFolder"/>.</summary>
    /// <exception cref="ArgumentException">Backend or tier cannot be part of a folder name.</exception>
    public static RunFolder Create(string root, string backend, string tier, RunManifest manifest) =>
        new(
            CreateFolder(
                root,
                manifest.StartedAt,
                $"{FileNamePart(backend)}-{FileNamePart(tier)}",
                (draft, runId) => WholeFile.Write(System.IO.Path.Combine(draft, ManifestFile), Text(manifest with { RunId = runId }))
            )
        );

    /// <summary>
    /// Creates <c>root/(UTC time)-(name)</c>, with a number appended when another has taken the name. The folder appears together
    /// with its first file, so two that start in the same second never share one.
    /// </summary>
    /// <param name="fill">Writes at least one file into the folder at the path; the second argument is the folder's later name.</param>
    /// <returns>Its full path.</returns>
    /// <exception cref="BaselineException">It cannot be created there.</exception>
    public static string CreateFolder(string root, DateTimeOffset startedAt, string name, Action<string, string> fill)
    {
        name = $"{startedAt.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture)}-{name}";
        root = System.IO.Path.GetFullPath(root);
        var draft = System.IO.Path.Combine(root, $".{name}-{Guid.NewGuid():N}");
        try
        {
            Directory.CreateDirectory(draft);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new BaselineException(
                $"A folder for the run cannot be created in '{root}': {error.Message} Choose another place with --output.",
                error
            );
        }

        for (var attempt = 1; ; attempt++)
        {
            var runId = attempt == 1 ? name : $"{name}-{attempt}";
            var path = System.IO.Path.Combine(root, runId);
            fill(draft, runId);
            try
            {
                Directory.Move(draft, path);
                return path;
            }
            catch (IOException) when (Directory.Exists(path))
            {
                // Another has the name, perhaps since a moment ago: a move never replaces a folder that contains a file.
            }
        }
    }

    /// <summary>
    /// Writes one raw histogram and returns its path relative to the folder, for <see cref="ScenarioResult.Histograms"/>. Beside it
    /// stands the same by percentile, as <c>.hgrm</c> of HdrHistogram, unless nothing was recorded.
    /// </summary>
    public string WriteHistogram(string scenario, string phase, LatencyHistogram histogram, int repeat = 1)
    {
        var document = histogram.ToDocument();
        var raw = HistogramFile(scenario, phase, repeat, "json");
        WriteJsonLine(raw, document);
        if (HdrFormats.Percentiles(document) is { } percentiles)
            Write(HistogramFile(scenario, phase, repeat, "hgrm"), percentiles);
        return raw;
    }

    /// <summary>
    /// Writes the latencies by interval and returns the path relative to the folder, for <see
    /// cref="ScenarioResult.IntervalHistograms"/>. Beside it stands the same as a log of HdrHistogram, <c>.hlog</c>.
    /// </summary>
    public string WriteIntervals(string scenario, IntervalHistograms intervals, int repeat = 1)
    {
        const string Phase = "intervals";
        var raw = HistogramFile(scenario, Phase, repeat, "json");
        WriteJsonLine(raw, intervals);
        Write(HistogramFile(scenario, Phase, repeat, "hlog"), HdrFormats.Log(intervals));
        return raw;
    }

    /// <summary>Appends a line to the samples. Not thread-safe.</summary>
    public void Append(Sample sample) =>
        File.AppendAllText(System.IO.Path.Combine(Path, SamplesFile), JsonSerializer.Serialize(sample, MeasurementJson.Compact) + "\n");

    /// <summary>
    /// Opens a log for the operations of one measurement, which are appended to those of earlier measurements. Only one log may be
    /// open at a time.
    /// </summary>
    public OperationLog OpenOperations(string scenario, int repeat) => new(System.IO.Path.Combine(Path, OperationsFile), scenario, repeat);

    /// <summary>The whole text of a file in this folder, for instance of <see cref="SummaryFile"/>.</summary>
    public Task<string> ReadAsync(string file) => File.ReadAllTextAsync(System.IO.Path.Combine(Path, file));

    /// <summary>Writes manifest and summary of a run that has ended, however it ended.</summary>
    public void Write(RunResult result)
    {
        WriteJson(SummaryFile, result);
        WriteJson(ManifestFile, RunManifest.Of(result));
    }

    /// <summary>Writes the result of a load test beside the summary of its steps.</summary>
    public void Write(LoadTestResult test) => WriteJson(LoadFile, test);

    /// <summary>Writes the result of a test of the bare queue beside its summary.</summary>
    public void Write(QueueTestResult test) => WriteJson(QueueFile, test);

    /// <summary>Writes a file that is derived from the results, for instance <see cref="ReportFile"/>.</summary>
    public void Write(string file, Action<TextWriter> write)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        write(text);
        Write(file, text.ToString());
    }

    private void WriteJson<T>(string file, T document) => Write(file, Text(document));

    private void WriteJsonLine<T>(string relative, T document) =>
        Write(relative, JsonSerializer.Serialize(document, MeasurementJson.Compact) + "\n");

    private static string HistogramFile(string scenario, string phase, int repeat, string extension)
    {
        var suffix = repeat == 1 ? "" : $".{repeat}";
        return $"histograms/{FileNamePart(scenario)}.{FileNamePart(phase)}{suffix}.{extension}";
    }

    private void Write(string relative, string text)
    {
        var path = System.IO.Path.Combine(Path, relative);
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
        WholeFile.Write(path, text);
    }

    private static string Text<T>(T document) => JsonSerializer.Serialize(document, MeasurementJson.Artifacts) + "\n";

    internal static string FileNamePart(string name) =>
        name.Length > 0 && name.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '+' or '_')
            ? name
            : throw new ArgumentException($"'{name}' cannot be part of a file name: use letters, digits, '-', '+' and '_'.");
}

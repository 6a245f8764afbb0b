using Serdica.Perf.Results.Queues;

namespace Serdica.Perf.Results.Folders;

/// <summary>A run with the files of its folder. A published baseline has no folder; it contains its raw data.</summary>
/// <param name="folder">The run folder; null when there is none.</param>
internal sealed class RunArtifacts(RunResult run, string? folder)
{
    private readonly Lazy<ILookup<(string Scenario, int Repeat), Sample>> _samples = new(() =>
        (run.Publication?.Samples ?? ReadSamples(folder)).ToLookup(sample => (sample.Scenario, sample.Repeat))
    );
    private readonly Lazy<LoadTestResult?> _loadTest = new(() =>
        ReadTest(folder, RunFolder.LoadFile, run, LoadResultReader.Parse, test => test.RunId)
    );
    private readonly Lazy<QueueTestResult?> _queueTest = new(() =>
        ReadTest(folder, RunFolder.QueueFile, run, ParseQueue, test => test.RunId)
    );

    public RunResult Run => run;

    /// <summary>The run folder; null when there is none.</summary>
    public string? Folder => folder;

    /// <summary>The result of <c>load</c>; null when the run is no load test, or has no folder.</summary>
    /// <exception cref="BaselineException">The file is damaged or belongs to another run.</exception>
    public LoadTestResult? LoadTest => _loadTest.Value;

    /// <summary>The result of <c>queue</c>; null when the run is no queue test, or has no folder.</summary>
    /// <exception cref="BaselineException">The file is damaged or belongs to another run.</exception>
    public QueueTestResult? QueueTest => _queueTest.Value;

    /// <exception cref="BaselineException">The file does not exist, or is not a baseline that this program can read.</exception>
    /// <param name="path">A run folder, the summary in it, or the <c>.json.gz</c> of a published baseline.</param>
    public static RunArtifacts Read(string path)
    {
        var result = BaselineReader.Read(path);
        var folder = Directory.Exists(path) ? path : Path.GetDirectoryName(Path.GetFullPath(path));
        return new(result, result.Publication is null ? folder : null);
    }

    /// <summary>The histogram of one phase of a scenario; null when there is none.</summary>
    /// <exception cref="BaselineException">The file is damaged.</exception>
    public LatencyHistogram? Histogram(ScenarioResult scenario, string phase) =>
        Read(scenario.Histograms.GetValueOrDefault(phase), run.Publication?.Histograms, LatencyHistogram.FromDocument);

    /// <summary>The latencies of a scenario by interval; null when there are none.</summary>
    /// <exception cref="BaselineException">The file is damaged.</exception>
    public IntervalHistograms? Intervals(ScenarioResult scenario)
    {
        return Read(scenario.IntervalHistograms, run.Publication?.Intervals, static intervals =>
        {
            intervals.Validate();
            return intervals;
        });
    }

    /// <summary>The samples of a scenario in order of time; empty when the folder has none.</summary>
    public IReadOnlyList<Sample> Samples(ScenarioResult scenario) => Samples(scenario.Name, scenario.Parameters.Repeat);

    /// <summary>The samples of a scenario that may have been aborted before it had a result.</summary>
    public IReadOnlyList<Sample> Samples(string scenario, int repeat) => [.. _samples.Value[(scenario, repeat)]];

    private static QueueTestResult ParseQueue(string file) =>
        JsonFile.Read(file, "queue test", QueueTestResult.CurrentSchemaVersion, static json =>
            JsonSerializer.Deserialize<QueueTestResult>(json, MeasurementJson.Artifacts)
        );

    private static T? ReadTest<T>(string? folder, string name, RunResult run, Func<string, T> parse, Func<T, string> runId)
        where T : class
    {
        if (folder is null || JsonFile.In(folder, name) is not { } path)
            return null;

        var test = parse(path);
        return runId(test) == run.RunId
            ? test
            : throw new BaselineException(
                $"'{path}' is of the run {runId(test)}, and so belongs to another run than the summary beside it, {run.RunId}."
            );
    }

    private TResult? Read<TDocument, TResult>(
        string? relative,
        IReadOnlyDictionary<string, TDocument>? published,
        Func<TDocument, TResult> make
    )
        where TDocument : class
        where TResult : class
    {
        if (relative is null)
            return null;
        if (published is not null)
            return published.GetValueOrDefault(relative) is { } document ? Made(document, make, relative) : null;
        if (folder is null)
            return null;

        // A summary from elsewhere chooses the file names: no file outside the run folder is opened.
        var root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder)) + Path.DirectorySeparatorChar;
        var path = Path.GetFullPath(Path.Combine(root, relative));
        if (!path.StartsWith(root, Ordinal) || !File.Exists(path))
            return null;

        try
        {
            using var file = File.OpenRead(path);
            return JsonSerializer.Deserialize<TDocument>(file, MeasurementJson.Compact) is { } document ? Made(document, make, path) : null;
        }
        catch (JsonException error)
        {
            throw NoHistogram(path, error);
        }
    }

    private static TResult Made<TDocument, TResult>(TDocument document, Func<TDocument, TResult> make, string path)
    {
        try
        {
            return make(document);
        }
        catch (InvalidDataException error)
        {
            throw NoHistogram(path, error);
        }
    }

    private static BaselineException NoHistogram(string path, Exception error) =>
        new($"'{path}' is not a histogram that this program can read: {error.Message}", error);

    /// <summary>Skips an incomplete line, which the last line of a killed run may be.</summary>
    private static IEnumerable<Sample> ReadSamples(string? folder)
    {
        var path = Path.Combine(folder ?? "", RunFolder.SamplesFile);
        return (folder is not null && File.Exists(path) ? File.ReadLines(path) : []).Select(ReadSample).OfType<Sample>();
    }

    private static Sample? ReadSample(string line)
    {
        try
        {
            return JsonSerializer.Deserialize<Sample>(line, MeasurementJson.Compact);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}

using System.Text.Json;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Queues;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Results.Samples;

namespace Serdica.Perf.Results.Folders;

/// <summary>A run with what its folder holds besides the summary. A published baseline has no folder, and nothing of that.</summary>
/// <param name="run">What was measured.</param>
/// <param name="folder">The run folder; null when there is only the summary.</param>
public sealed class RunArtifacts(RunResult run, string? folder)
{
    private readonly Lazy<ILookup<(string Scenario, int Repeat), Sample>> _samples = new(() => ReadSamples(folder));
    private readonly Lazy<LoadTestResult?> _loadTest = new(() => ReadTest<LoadTestResult>(folder, RunFolder.LoadFile, test => test.SchemaVersion == LoadTestResult.CurrentSchemaVersion && test.RunId == run.RunId));
    private readonly Lazy<QueueTestResult?> _queueTest = new(() => ReadTest<QueueTestResult>(folder, RunFolder.QueueFile, test => test.SchemaVersion == QueueTestResult.CurrentSchemaVersion && test.RunId == run.RunId));

    public RunResult Run => run;

    /// <summary>What <c>load</c> has found; null of a run that is none, or has no folder.</summary>
    /// <exception cref="BaselineException">The file is not what it should be.</exception>
    public LoadTestResult? LoadTest => _loadTest.Value;

    /// <summary>What <c>queue</c> has found; null of a run that is none, or has no folder.</summary>
    /// <exception cref="BaselineException">The file is not what it should be.</exception>
    public QueueTestResult? QueueTest => _queueTest.Value;

    /// <param name="path">A run folder, the <c>summary.json</c> in it, or the JSON of a published baseline.</param>
    /// <exception cref="BaselineException">There is none, or it is none that this program understands.</exception>
    public static RunArtifacts Read(string path)
    {
        var result = BaselineReader.Read(path);
        var folder = Directory.Exists(path) ? path : Path.GetDirectoryName(Path.GetFullPath(path));
        return new(result, result.Publication is null ? folder : null);
    }

    /// <summary>Null when the folder does not have it.</summary>
    /// <exception cref="BaselineException">The file is not what it should be.</exception>
    public LatencyHistogram? Histogram(ScenarioResult scenario, string phase)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        return Read<HistogramDocument, LatencyHistogram>(scenario.Histograms.GetValueOrDefault(phase), LatencyHistogram.FromDocument);
    }

    /// <summary>Null when the folder does not have them.</summary>
    /// <exception cref="BaselineException">The file is not what it should be.</exception>
    public IntervalHistograms? Intervals(ScenarioResult scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        return Read<IntervalHistograms, IntervalHistograms>(scenario.IntervalHistograms, intervals =>
        {
            intervals.Validate();
            return intervals;
        });
    }

    /// <summary>In order of time; empty when the folder has none.</summary>
    public IReadOnlyList<Sample> Samples(ScenarioResult scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        return Samples(scenario.Name, scenario.Parameters.Repeat);
    }

    /// <summary>The same of a scenario that may have been broken off before it had a result.</summary>
    public IReadOnlyList<Sample> Samples(string scenario, int repeat) => [.. _samples.Value[(scenario, repeat)]];

    private static T? ReadTest<T>(string? folder, string name, Func<T, bool> isOf)
        where T : class
    {
        var path = Path.Combine(folder ?? "", name);
        if (folder is null || !File.Exists(path))
            return null;

        try
        {
            using var file = File.OpenRead(path);
            return JsonSerializer.Deserialize<T>(file, MeasurementJson.Artifacts) is { } test && isOf(test)
                ? test
                : throw new BaselineException($"'{path}' is of another run than the summary beside it, or of another version of this program.");
        }
        catch (JsonException error)
        {
            throw new BaselineException($"'{path}' can't be read: {error.Message}", error);
        }
    }

    private TResult? Read<TDocument, TResult>(string? relative, Func<TDocument, TResult> make)
        where TResult : class
    {
        if (folder is null || relative is null)
            return null;

        // A summary from elsewhere names the file: nothing outside of its own folder is opened.
        var root = Path.GetFullPath(folder) + Path.DirectorySeparatorChar;
        var path = Path.GetFullPath(Path.Combine(root, relative));
        if (!path.StartsWith(root, StringComparison.Ordinal) || !File.Exists(path))
            return null;

        try
        {
            using var file = File.OpenRead(path);
            return JsonSerializer.Deserialize<TDocument>(file, MeasurementJson.Compact) is { } document ? make(document) : null;
        }
        catch (Exception error) when (error is JsonException or InvalidDataException)
        {
            throw new BaselineException($"'{path}' is no histogram that this program reads: {error.Message}", error);
        }
    }

    /// <summary>A line that is not whole, as the last of a killed run may be, is passed over.</summary>
    private static ILookup<(string Scenario, int Repeat), Sample> ReadSamples(string? folder)
    {
        var path = Path.Combine(folder ?? "", RunFolder.SamplesFile);
        return (folder is not null && File.Exists(path) ? File.ReadLines(path) : [])
            .Select(ReadSample).OfType<Sample>()
            .ToLookup(sample => (sample.Scenario, sample.Repeat));
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

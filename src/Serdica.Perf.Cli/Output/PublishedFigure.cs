using System.IO.Compression;

namespace Serdica.Perf.Cli.Output;

/// <summary>A published throughput of round trips, from the summaries of the baselines that come with the tool.</summary>
/// <param name="Backend">The backend.</param>
/// <param name="Callers">The number of callers of its closed load.</param>
/// <param name="PerSecond">The median throughput of its repeats.</param>
/// <param name="Run">The run, for its machine.</param>
internal sealed record PublishedFigure(string Backend, int Callers, double PerSecond, RunResult Run)
{
    private const string Prefix = "Published/";

    /// <summary>All of them; none where the tool was built without the baselines.</summary>
    public static IReadOnlyList<PublishedFigure> All()
    {
        var assembly = typeof(PublishedFigure).Assembly;
        return
        [
            .. assembly
                .GetManifestResourceNames()
                .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal))
                .Select(name => Read(assembly.GetManifestResourceStream(name)!)),
        ];
    }

    private static PublishedFigure Read(Stream stream)
    {
        using var json = new GZipStream(stream, CompressionMode.Decompress);
        var run = JsonSerializer.Deserialize<RunResult>(json, MeasurementJson.Artifacts)!;
        var scenario = run.Scenarios[0];
        return new(scenario.Backend, scenario.Parameters.Concurrency, run.Repeats[0].ThroughputPerSecond!.Median, run);
    }
}

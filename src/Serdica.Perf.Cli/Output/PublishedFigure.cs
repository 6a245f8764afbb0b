namespace Serdica.Perf.Cli.Output;

/// <summary>A published throughput of round trips, from the reports of the baselines that come with the tool.</summary>
/// <param name="Callers">The number of callers of its closed load.</param>
internal sealed partial record PublishedFigure(string Backend, int Callers, double PerSecond, EnvironmentFingerprint Environment)
{
    private const string Prefix = "Published/";

    /// <summary>All of them; none where the tool was built without the baselines.</summary>
    public static IReadOnlyList<PublishedFigure> All() =>
        [
            .. typeof(PublishedFigure)
                .Assembly.GetManifestResourceNames()
                .Where(name => name.StartsWith(Prefix, Ordinal))
                .Where(name => name.EndsWith(RunFolder.ReportFile, Ordinal))
                .Select(Read),
        ];

    private static PublishedFigure Read(string report)
    {
        using var text = new StreamReader(Resource(report));
        var row = Row().Match(text.ReadToEnd()).Groups;
        using var json = Resource(report[..^RunFolder.ReportFile.Length] + RunFolder.ManifestFile);
        var manifest = JsonSerializer.Deserialize<RunManifest>(json, MeasurementJson.Artifacts)!;
        return new(
            row["backend"].Value,
            int.Parse(row["callers"].Value, CultureInfo.InvariantCulture),
            double.Parse(row["rate"].Value, CultureInfo.InvariantCulture),
            manifest.Environment
        );
    }

    private static Stream Resource(string name) => typeof(PublishedFigure).Assembly.GetManifestResourceStream(name)!;

    /// <summary>The row of the table "How fast".</summary>
    [GeneratedRegex(
        @"^\| (?<backend>\S+) \| \S+ \| closed load, (?<callers>\d+) callers?, [^|]*\| (?<rate>[\d,.]+) \|",
        RegexOptions.Multiline
    )]
    private static partial Regex Row();
}

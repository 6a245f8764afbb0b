namespace Serdica.Perf.Cli.Ab;

/// <summary>The folder of one comparison: the run folders below <c>runs</c> from the first moment, the verdict at the end.</summary>
internal sealed class AbFolder
{
    public const string ResultFile = "ab.json";
    public const string ReportFile = "ab.md";
    public const string ManifestFile = "ab-manifest.json";

    private readonly AbManifest _manifest;

    private AbFolder(string path, AbManifest manifest) => (Path, _manifest) = (path, manifest);

    public string Path { get; }

    /// <summary>Creates the folder with its manifest.</summary>
    public static AbFolder Create(string root, IReadOnlyList<string> backends, AbManifest manifest) =>
        new(
            RunFolder.CreateFolder(root, manifest.StartedAt, $"{string.Join('+', backends)}-ab", (draft, _) => Write(draft, manifest)),
            manifest
        );

    /// <inheritdoc cref="MeasurementFolder.RunsOf"/>
    public static string RunsOf(int number, AbSide side) => MeasurementFolder.RunsOf(number, side.ToString().ToLowerInvariant());

    /// <summary>Writes verdicts and figures, and the page on which the last run of each side stands for the side.</summary>
    public void Write(AbResult result)
    {
        var sides = new[] { AbSide.Base, AbSide.Candidate }.Select(side =>
            RunArtifacts.Read(System.IO.Path.Combine(Path, result.Blocks[^1].Runs.Last(run => run.Side == side).Folder))
        );
        using var page = new StringWriter(CultureInfo.InvariantCulture);
        HtmlReport.Write(page, ReportBuilder.Build([.. sides], result.Comparison));
        WholeFile.Write(System.IO.Path.Combine(Path, RunFolder.PageFile), page.ToString());

        using var report = new StringWriter(CultureInfo.InvariantCulture);
        AbMarkdown.Write(report, result);
        WholeFile.Write(System.IO.Path.Combine(Path, ReportFile), report.ToString());
        WholeFile.Write(System.IO.Path.Combine(Path, ResultFile), Text(result));
    }

    /// <summary>Says what became of it.</summary>
    public void End(RunStatus status, string? reason) =>
        Write(Path, _manifest with { Status = status, StatusReason = reason });

    public static string Text(AbResult result) => JsonSerializer.Serialize(result, MeasurementJson.Artifacts) + "\n";

    private static void Write(string folder, AbManifest manifest) =>
        WholeFile.Write(System.IO.Path.Combine(folder, ManifestFile), JsonSerializer.Serialize(manifest, MeasurementJson.Artifacts) + "\n");
}

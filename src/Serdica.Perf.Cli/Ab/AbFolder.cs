using System.Globalization;
using System.Text.Json;
using Serdica.Perf.Analysis.Blocks;
using Serdica.Perf.Reports.Markdown;
using Serdica.Perf.Results;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Cli.Ab;

/// <summary>The folder of one comparison: the run folders below <c>runs</c> from the first moment, the verdict at the end.</summary>
internal sealed class AbFolder
{
    public const string ResultFile = "ab.json";
    public const string ReportFile = "ab.md";
    public const string ManifestFile = "ab-manifest.json";

    private readonly AbManifest _manifest;

    private AbFolder(string path, AbManifest manifest)
    {
        (Path, _manifest) = (path, manifest);
        Write(manifest);
    }

    public string Path { get; }

    /// <summary>Makes <c>root/(utc time)-(backends)-ab</c>, with a number behind it when the name is taken.</summary>
    public static AbFolder Create(string root, IReadOnlyList<string> backends, AbManifest manifest)
    {
        var name = $"{manifest.StartedAt.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture)}-{string.Join('+', backends)}-ab";
        var path = System.IO.Path.Combine(System.IO.Path.GetFullPath(root), name);
        for (var attempt = 2; Directory.Exists(path); attempt++)
            path = System.IO.Path.Combine(System.IO.Path.GetFullPath(root), $"{name}-{attempt}");
        Directory.CreateDirectory(path);
        return new(path, manifest);
    }

    /// <summary>Where the run of a number, from 1, is kept; relative.</summary>
    public static string RunsOf(int number, AbSide side) =>
        System.IO.Path.Combine("runs", string.Create(CultureInfo.InvariantCulture, $"{number:00}-{side.ToString().ToLowerInvariant()}"));

    public void Write(AbResult result)
    {
        using var report = new StringWriter(CultureInfo.InvariantCulture);
        AbMarkdown.Write(report, result);
        File.WriteAllText(System.IO.Path.Combine(Path, ReportFile), report.ToString());
        File.WriteAllText(System.IO.Path.Combine(Path, ResultFile), Text(result));
    }

    /// <summary>Says what became of it.</summary>
    public void End(RunStatus status, string? reason) => Write(_manifest with { Status = status, StatusReason = reason });

    public static string Text(AbResult result) => JsonSerializer.Serialize(result, MeasurementJson.Artifacts) + "\n";

    private void Write(AbManifest manifest) =>
        File.WriteAllText(System.IO.Path.Combine(Path, ManifestFile), JsonSerializer.Serialize(manifest, MeasurementJson.Artifacts) + "\n");
}

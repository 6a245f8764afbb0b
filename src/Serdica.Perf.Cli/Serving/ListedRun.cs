using Serdica.Perf.Cli.Ab;

namespace Serdica.Perf.Cli.Serving;

/// <summary>A folder of the list: a run that has ended, one under way, a comparison, or a run under faults.</summary>
/// <param name="Manifest">Null when it cannot be read, or of a comparison.</param>
/// <param name="Headline">Null when it cannot be read, or has not ended.</param>
/// <param name="Comparison">Null of a run.</param>
/// <param name="Faults">Null of all but a run under faults, and when it cannot be read.</param>
/// <param name="HasPage">Whether the folder has a page of its own, which a comparison needs.</param>
internal sealed record ListedRun(
    string Name,
    ListedKind Kind,
    RunManifest? Manifest = null,
    RunHeadline? Headline = null,
    AbManifest? Comparison = null,
    FaultResult? Faults = null,
    bool HasPage = false
)
{
    /// <summary>A folder that has ended does not change, so it is read once.</summary>
    private static readonly ConcurrentDictionary<(string Folder, DateTime Written), ListedRun> Known = new();

    /// <summary>Whether a page can be shown of it.</summary>
    public bool HasReport => Kind == ListedKind.Ended || HasPage || Faults is not null;

    /// <summary>The runs and comparisons in a folder, the newest first: a name starts with its time.</summary>
    public static IReadOnlyList<ListedRun> In(string root) =>
        !Directory.Exists(root)
            ? []
            : [.. Directory.EnumerateDirectories(root).OrderDescending(StringComparer.Ordinal).Select(Of).OfType<ListedRun>()];

    private static ListedRun? Of(string folder)
    {
        var summary = JsonFile.Forms(folder, RunFolder.SummaryFile);
        var (manifest, comparison) = (Path.Combine(folder, RunFolder.ManifestFile), Path.Combine(folder, AbFolder.ManifestFile));
        var faults = JsonFile.Forms(folder, FaultResult.FileName);
        return summary is [var only] ? Known.GetOrAdd((folder, File.GetLastWriteTimeUtc(only)), key => Ended(key.Folder))
            : summary.Count > 0 ? Ended(folder)
            : File.Exists(comparison) ? new(
                Path.GetFileName(folder),
                ListedKind.Comparison,
                Comparison: JsonFile.TryRead<AbManifest>(comparison),
                HasPage: File.Exists(Path.Combine(folder, RunFolder.PageFile))
            )
            : File.Exists(manifest) ? new(Path.GetFileName(folder), ListedKind.UnderWay, Manifest: JsonFile.TryRead<RunManifest>(manifest))
            : faults.Count > 0 ? new(
                Path.GetFileName(folder),
                ListedKind.Faults,
                Faults: faults is [var file] ? JsonFile.TryRead<FaultResult>(file) : null
            )
            : null;
    }

    private static ListedRun Ended(string folder) =>
        new(
            Path.GetFileName(folder),
            ListedKind.Ended,
            JsonFile.TryRead<RunManifest>(Path.Combine(folder, RunFolder.ManifestFile)),
            Headlined(folder)
        );

    private static RunHeadline? Headlined(string folder)
    {
        try
        {
            return RunHeadline.Of(RunArtifacts.Read(folder));
        }
        catch (Exception)
        {
            // However it is damaged: the list is of use without it.
            return null;
        }
    }
}

/// <summary>What a folder of the list is.</summary>
internal enum ListedKind
{
    Ended,

    /// <summary>It has no summary yet, or its process died.</summary>
    UnderWay,

    Comparison,

    /// <summary>A run under faults that has ended.</summary>
    Faults,
}

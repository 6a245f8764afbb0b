namespace Serdica.Perf.Analysis.Comparison;

/// <summary>An earlier run that was measured like another.</summary>
internal sealed record LikeRun(string Name, RunResult Run)
{
    /// <summary>
    /// The last run that had ended before another began, passed and <see cref="Likeness.AreLike">is like it</see>; null when there
    /// is none.
    /// </summary>
    public static LikeRun? LastBefore(RunResult run, string folder)
    {
        var own = Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder));
        if (Path.GetDirectoryName(own) is not { } root || !Directory.Exists(root))
            return null;

        // A manifest is small: no summary is read of a run on another machine, or of one that did not pass.
        return (
            from other in Directory.EnumerateDirectories(root)
            let manifest = JsonFile.TryRead<RunManifest>(Path.Combine(other, RunFolder.ManifestFile))
            where
                other != own
                && manifest is { Status: RunStatus.Passed, Environment: not null }
                && manifest.FinishedAt <= run.StartedAt
                && manifest.Environment.FingerprintHash == run.Environment.FingerprintHash
            orderby manifest!.StartedAt descending
            select TryRead(other, run)
        ).FirstOrDefault(other => other is not null);
    }

    private static LikeRun? TryRead(string folder, RunResult run)
    {
        try
        {
            var other = BaselineReader.Read(folder);
            return Likeness.AreLike(other, run) ? new(Path.GetFileName(folder), other) : null;
        }
        catch (Exception)
        {
            // However it is damaged: what has just been measured gets its report without it.
            return null;
        }
    }
}

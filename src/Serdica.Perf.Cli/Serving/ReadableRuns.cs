namespace Serdica.Perf.Cli.Serving;

/// <summary>Those of several runs that a report can be made of, and a sentence for each of the others.</summary>
/// <param name="Runs">In the order in which they were named.</param>
/// <param name="HasLast">Whether the run that was named last is among <paramref name="Runs"/>: a base is compared with it.</param>
internal sealed record ReadableRuns(IReadOnlyList<RunArtifacts> Runs, IReadOnlyList<string> LeftOut, bool HasLast)
{
    /// <exception cref="BaselineException">None can be read.</exception>
    public static ReadableRuns Read(IEnumerable<(string Name, string Path)> runs)
    {
        var all = runs.Select(run => (Artifacts: TryRead(run.Name, run.Path, out var problem), Problem: problem)).ToArray();
        return all.Any(run => run.Artifacts is not null)
            ? new(
                [.. all.Select(run => run.Artifacts).OfType<RunArtifacts>()],
                [.. all.Where(run => run.Artifacts is null).Select(run => $"{run.Problem} The run is left out.")],
                all[^1].Artifacts is not null
            )
            : throw new BaselineException(string.Join(" ", all.Select(run => run.Problem)));
    }

    /// <inheritdoc cref="BaseOffer.Of"/>
    /// <returns>Also null where several runs are shown together, and a sentence where the run to compare cannot be read.</returns>
    public BaseOffer? Offer(string? basePath, RunResult? named, string? history = null) =>
        !HasLast && !string.IsNullOrEmpty(basePath)
            ? new($"Nothing is compared with the base {Path.GetFileName(Path.TrimEndingDirectorySeparator(basePath))}: the run to compare "
                + "cannot be read.")
        : Runs is [var only] && HasLast ? BaseOffer.Of(only, named, history)
        : null;

    private static RunArtifacts? TryRead(string name, string path, out string? problem)
    {
        problem = null;
        try
        {
            var artifacts = RunArtifacts.Read(path);

            // Some files are opened only when the report needs them.
            _ = ReportBuilder.Build([artifacts]);
            return artifacts;
        }
        catch (Exception error)
        {
            // Nobody knows in how many ways a file can be damaged, and the other runs are of use without it.
            problem = $"The run {name} cannot be read: {error.Message}";
            return null;
        }
    }
}

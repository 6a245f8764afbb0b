namespace Serdica.Perf.Measurement.Comparisons.Blocks;

/// <summary>The raw figures of one run of a block.</summary>
/// <param name="Side">Which one was measured.</param>
/// <param name="Folder">Its run folder, relative to that of the comparison.</param>
/// <param name="Figures">By scenario, then by metric.</param>
public sealed record AbRunFigures(AbSide Side, string Folder, IReadOnlyDictionary<string, IReadOnlyDictionary<string, double>> Figures);

using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Comparisons.Blocks;

/// <summary>One side, measured once.</summary>
/// <param name="Side">Which one.</param>
/// <param name="Folder">Its run folder, relative to that of the comparison.</param>
/// <param name="Result">Each scenario once.</param>
public sealed record AbRun(AbSide Side, string Folder, RunResult Result);

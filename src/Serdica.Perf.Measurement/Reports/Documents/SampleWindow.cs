using Serdica.Perf.Measurement.Samples;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>The samples of one measured window.</summary>
/// <param name="BeginSeconds">Of the window, on the axis that is drawn.</param>
/// <param name="Samples">In order of time.</param>
internal sealed record SampleWindow(double BeginSeconds, IReadOnlyList<Sample> Samples);

using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Running;

/// <summary>One scenario, measured once.</summary>
/// <param name="Result">Complete, but for the paths of the histograms.</param>
/// <param name="Histograms">By phase.</param>
public sealed record ScenarioMeasurement(ScenarioResult Result, IReadOnlyDictionary<string, LatencyHistogram> Histograms)
{
    /// <summary>Response times by interval of completion; null when nothing completed.</summary>
    public IntervalHistograms? Intervals { get; init; }
}

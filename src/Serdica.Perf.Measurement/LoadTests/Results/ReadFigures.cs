using Serdica.Perf.Measurement.Recording;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Reads beside the operations of a step.</summary>
/// <param name="TargetPerSecond">What was asked for.</param>
/// <param name="AchievedPerSecond">Reads that ended, over the step's duration.</param>
/// <param name="Completed">How many came right.</param>
/// <param name="Failed">How many did not.</param>
/// <param name="Latency">From the intended start.</param>
public sealed record ReadFigures(double TargetPerSecond, double AchievedPerSecond, long Completed, long Failed, LatencySummary Latency);

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// A backlog that swings: operations arrive at the step's rate until so many are in flight, then none until few enough are left.
/// </summary>
/// <param name="Low">In flight when arrivals begin again.</param>
/// <param name="High">In flight when they pause.</param>
public sealed record BacklogBounds(int Low, int High);

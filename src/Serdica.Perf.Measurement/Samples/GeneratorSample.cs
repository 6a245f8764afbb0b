namespace Serdica.Perf.Measurement.Samples;

/// <summary>Operations since the begin of the window.</summary>
/// <param name="Started">A caller has begun them.</param>
/// <param name="Completed">They have ended well.</param>
/// <param name="Failed">They have ended otherwise.</param>
/// <param name="InFlight">Neither.</param>
public sealed record GeneratorSample(int Started, int Completed, int Failed, int InFlight);

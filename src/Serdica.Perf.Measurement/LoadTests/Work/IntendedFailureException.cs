namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Thrown by an activity that was to fail.</summary>
internal sealed class IntendedFailureException() : Exception("This activity was to fail.");

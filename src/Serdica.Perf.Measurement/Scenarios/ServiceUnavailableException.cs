namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>A service call that was told to fail has failed.</summary>
internal sealed class ServiceUnavailableException(string service) : Exception($"The service '{service}' did not answer.");

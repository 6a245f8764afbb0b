namespace Serdica.Perf.Workflows;

/// <summary>Why an activity has failed for good.</summary>
/// <param name="Error">Type and message of the last error.</param>
/// <param name="Attempts">How often it was tried.</param>
public sealed record ActivityFailure(string Error, int Attempts);

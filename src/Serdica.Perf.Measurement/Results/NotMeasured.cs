namespace Serdica.Perf.Measurement.Results;

/// <summary>A backend, or one scenario of it, that was asked for and is not in the figures.</summary>
/// <param name="Backend">For instance <c>oracle-aq</c>.</param>
/// <param name="Reason">One sentence: why, and what to install or set.</param>
/// <param name="Scenario">The full scenario name; null when the whole backend is missing.</param>
public sealed record NotMeasured(string Backend, string Reason, string? Scenario = null);

namespace Serdica.Perf.Measurement.Results;

/// <summary>A reason to distrust figures of this run. <see cref="Code"/> is stable, <see cref="Sentence"/> is for people.</summary>
/// <param name="Code">Stable, lower case with hyphens: see <see cref="Environments.WarningCodes"/>.</param>
/// <param name="Sentence">What was found, with its value, and what it means for the figures.</param>
/// <param name="Scenario">The scenario it is about; null when it is about the whole run.</param>
public sealed record RunWarning(string Code, string Sentence, string? Scenario = null);

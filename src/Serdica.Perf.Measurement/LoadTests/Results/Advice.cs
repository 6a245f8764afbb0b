namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>What to try next for the target of a step, worked out from its figures. Nothing of it was tried.</summary>
/// <param name="Step">Name of the step.</param>
/// <param name="Kind">Who can follow it.</param>
/// <param name="Subject">A setting or a part of the machine.</param>
/// <param name="Now">As it was in the step.</param>
/// <param name="Advised">As it should be.</param>
/// <param name="Why">One sentence with the figures.</param>
public sealed record Advice(string Step, AdviceKind Kind, string Subject, string Now, string Advised, string Why);

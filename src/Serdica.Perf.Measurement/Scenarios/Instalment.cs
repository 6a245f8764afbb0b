namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>One payment of the premium.</summary>
internal sealed record Instalment(int Number, DateOnly DueOn, decimal Amount);

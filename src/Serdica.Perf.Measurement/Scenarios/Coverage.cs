namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>One risk of a document.</summary>
internal sealed record Coverage(string Code, string Risk, decimal Limit, decimal Premium, decimal Deductible, string Terms);

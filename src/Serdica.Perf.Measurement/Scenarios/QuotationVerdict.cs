namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>What closes the human task: the payload of its signal.</summary>
internal sealed record QuotationVerdict(bool Confirmed, string Clerk);

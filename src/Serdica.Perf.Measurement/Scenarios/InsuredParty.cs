namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>Who holds a policy.</summary>
internal sealed record InsuredParty(string ClientId, string Name, string Address, string Email);

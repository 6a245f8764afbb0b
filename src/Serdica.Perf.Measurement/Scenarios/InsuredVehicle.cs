namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>What a policy insures.</summary>
internal sealed record InsuredVehicle(string Plate, string Vin, string Model, int Year, int ValueEur);

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>A backend that can be asked for by name.</summary>
/// <param name="Name">As in scenario names: <c>postgresql</c>.</param>
/// <param name="ProvisionAsync">Finds or starts what it needs.</param>
public sealed record BackendSource(string Name, Func<CancellationToken, Task<BackendProvision>> ProvisionAsync);

namespace Serdica.Perf.Measurement.Stores;

/// <summary>A backend, or the reason why there is none.</summary>
internal abstract record BackendProvision
{
    private BackendProvision() { }

    /// <summary>An available backend, which the caller disposes.</summary>
    public sealed record Provided(IMeasuredBackend Backend) : BackendProvision;

    /// <summary>No backend. <paramref name="Reason"/> is one sentence that says what to install or set.</summary>
    public sealed record Unavailable(string Reason) : BackendProvision;
}

/// <summary>A backend that can be requested by name.</summary>
/// <param name="ProvisionAsync">Finds or starts what it needs.</param>
internal sealed record BackendSource(string Name, Func<CancellationToken, Task<BackendProvision>> ProvisionAsync);

namespace Serdica.Perf.Databases;

/// <summary>A server, or the reason why there is none.</summary>
public abstract record ProvisionOutcome
{
    private ProvisionOutcome()
    {
    }

    /// <summary>A server that answers; the caller disposes it.</summary>
    public sealed record Provisioned(DatabaseServer Server) : ProvisionOutcome;

    /// <summary>No server. <paramref name="Reason"/> is one sentence that says what to install or set.</summary>
    public sealed record Unavailable(string Reason) : ProvisionOutcome;
}

namespace Serdica.Perf.Databases;

/// <summary>One way to come by a server of one database.</summary>
internal interface IDatabaseSource
{
    DatabaseSourceKind Kind { get; }

    /// <summary>Whether the automatic order tries this source.</summary>
    ValueTask<bool> IsCandidateAsync(DatabaseRequest request, CancellationToken cancellationToken);

    Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken);

    /// <summary>Looks without starting anything.</summary>
    Task<SourceFinding> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken);
}

/// <summary>A server, or the reason why there is none.</summary>
internal abstract record ProvisionOutcome
{
    private ProvisionOutcome() { }

    /// <summary>A server that answers; the caller disposes it.</summary>
    public sealed record Provisioned(DatabaseServer Server) : ProvisionOutcome;

    /// <summary>No server. <paramref name="Reason"/> is one sentence that says what to install or set.</summary>
    public sealed record Unavailable(string Reason) : ProvisionOutcome;
}

/// <summary>What an inspection found for one source.</summary>
/// <param name="IsAvailable">Whether a server can be expected from it.</param>
/// <param name="Detail">What was found, with version and place, or the sentence why not. Free of secrets.</param>
internal sealed record SourceFinding(DatabaseSourceKind Source, bool IsAvailable, string Detail);

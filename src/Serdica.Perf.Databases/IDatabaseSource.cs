using Microsoft.Extensions.Logging;

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

using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Cli.Ab;

/// <summary>
/// What became of a comparison: the content of <c>ab-manifest.json</c>, which is there from the first moment and says aborted until
/// there is a verdict, so that a killed comparison says so.
/// </summary>
internal sealed record AbManifest
{
    public int SchemaVersion { get; init; } = 1;

    public required RunStatus Status { get; init; }

    /// <summary>Null of a comparison that passed.</summary>
    public string? StatusReason { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required string Command { get; init; }

    public static AbManifest Unfinished(DateTimeOffset startedAt, string command) =>
        new()
        {
            Status = RunStatus.Aborted,
            StatusReason = "It has not ended: it is under way, or was killed.",
            StartedAt = startedAt,
            Command = command,
        };
}

using Serdica.Perf.Results.Machine;

namespace Serdica.Perf.Results.Folders;

/// <summary>
/// What was run, where, and how to repeat it: the content of <c>manifest.json</c>. The file exists from the start of a run.
/// </summary>
public sealed record RunManifest
{
    public int SchemaVersion { get; init; } = RunResult.CurrentSchemaVersion;

    public required RunStatus Status { get; init; }

    public string? StatusReason { get; init; }

    /// <summary>The name of the run folder.</summary>
    public string RunId { get; init; } = "";

    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Null while the run lasts, and for ever when the process died.</summary>
    public DateTimeOffset? FinishedAt { get; init; }

    public required string Command { get; init; }

    public required EnvironmentFingerprint Environment { get; init; }

    public IReadOnlyList<DatabaseDescription> Databases { get; init; } = [];

    /// <summary>
    /// The manifest of a run that has just started. It says aborted, which is correct for anybody who reads it after the process was
    /// killed; the end of the run replaces it.
    /// </summary>
    public static RunManifest Unfinished(DateTimeOffset startedAt, string command, EnvironmentFingerprint environment) =>
        new()
        {
            Status = RunStatus.Aborted,
            StatusReason = "The run has not finished: it is still going on, or its process died.",
            StartedAt = startedAt,
            Command = command,
            Environment = environment,
        };

    public static RunManifest Of(RunResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return new()
        {
            SchemaVersion = result.SchemaVersion,
            Status = result.Status,
            StatusReason = result.StatusReason,
            RunId = result.RunId,
            StartedAt = result.StartedAt,
            FinishedAt = result.FinishedAt,
            Command = result.Command,
            Environment = result.Environment,
            Databases = result.Databases,
        };
    }
}

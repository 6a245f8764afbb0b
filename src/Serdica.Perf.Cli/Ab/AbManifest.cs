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

    /// <summary>Null in comparisons of older programs.</summary>
    public AbManifestSide? Base { get; init; }

    /// <inheritdoc cref="Base"/>
    public AbManifestSide? Candidate { get; init; }

    public static AbManifest Unfinished(DateTimeOffset startedAt, string command, AbRequest request) =>
        new()
        {
            Base = AbManifestSide.Of(request, request.Base),
            Candidate = AbManifestSide.Of(request, request.Candidate),
            Status = RunStatus.Aborted,
            StatusReason = "Not finished: still running, or killed.",
            StartedAt = startedAt,
            Command = command,
        };
}

/// <summary>What one side is: what it has for itself, and null for what both share.</summary>
/// <param name="Server">The name of a server that runs already.</param>
/// <param name="Cpus">Processors that its server may use.</param>
/// <param name="Options">Options of `run`; null for one without a value.</param>
internal sealed record AbManifestSide(
    string Text,
    string? Commit,
    string Backend,
    string? Server,
    IReadOnlyDictionary<string, string>? Settings,
    string? Image,
    double? Cpus,
    long? MemoryBytes,
    IReadOnlyDictionary<string, string?> Options
)
{
    public static AbManifestSide Of(AbRequest request, SideOfAb side) =>
        new(
            side.Text,
            side.Commit,
            request.BackendOf(side),
            side.Server?.Name,
            side.Conditions.SettingsFile is null ? null : side.Conditions.Settings,
            side.Conditions.Image,
            side.Conditions.Cpus,
            side.Conditions.MemoryBytes,
            side.Options
        );
}

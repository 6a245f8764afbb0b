namespace Serdica.Perf.Faults.Hosts;

/// <summary>What a host process is asked to do; its server comes by the environment.</summary>
internal sealed record HostSettings
{
    /// <value>Name of the process in the history; no two processes of a run have the same.</value>
    public required string Name { get; init; }

    /// <value>The folder of the history.</value>
    public required string History { get; init; }

    public required string Backend { get; init; }

    /// <value>Schema or database.</value>
    public required string Store { get; init; }

    /// <value>The type of <see cref="FaultedStore"/> that opens it, with its assembly.</value>
    public required string Opener { get; init; }

    /// <value>Checked settings of the engine by name.</value>
    public required IReadOnlyDictionary<string, string> Engine { get; init; }

    /// <inheritdoc cref="FaultPlan.ThinkTime"/>
    public required TimeSpan ThinkTime { get; init; }

    /// <value>The versions of the definition that it has; its callers start the newest.</value>
    public required IReadOnlyList<int> Versions { get; init; }
}

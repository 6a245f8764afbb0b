namespace Serdica.Perf.Cli.Ab;

/// <summary>What `ab` was asked for, understood and checked.</summary>
internal sealed record AbRequest
{
    public required SideOfAb Base { get; init; }

    public required SideOfAb Candidate { get; init; }

    /// <summary>The project of the user's own whose scenarios are measured; null for those of the suite.</summary>
    public OwnProject? Project { get; init; }

    /// <summary>Without backend; empty for all of a project.</summary>
    public required IReadOnlyList<string> Scenarios { get; init; }

    /// <summary>The backend of a side that does not name one.</summary>
    public required string Backend { get; init; }

    /// <summary>Options of `run` for both sides, by name.</summary>
    public required IReadOnlyDictionary<string, string?> Options { get; init; }

    public required int Blocks { get; init; }

    public required DatabaseSourceKind? Source { get; init; }

    /// <summary>Null without a gate.</summary>
    public required GateSettings? Gate { get; init; }

    /// <summary>Where the folder of the comparison is made.</summary>
    public required string Output { get; init; }

    public required bool Json { get; init; }

    public IReadOnlyList<SideOfAb> Sides => [Base, Candidate];

    public IReadOnlyList<string> Backends => [.. Sides.Select(BackendOf).Distinct()];

    /// <summary>The write-ahead log of all runs of both sides; null where it is unknown, as it is for a project.</summary>
    public long? ExpectedLogBytes =>
        Project is null
            ? AbBlock
                .Order(1)
                .Select(side => RunOptionSet.Parse(Arguments(SideOf(side))).ExpectedLogBytes)
                .Aggregate((long?)0, (sum, bytes) => sum + bytes) * Blocks
            : null;

    public SideOfAb SideOf(AbSide side) => side == AbSide.Base ? Base : Candidate;

    public string BackendOf(SideOfAb side) => side.Backend ?? Backend;

    /// <summary>The arguments that measure a side once, without the folder.</summary>
    /// <param name="assembly">Where the scenarios of a project were built; null for those of the suite.</param>
    public IReadOnlyList<string> Arguments(SideOfAb side, string? assembly = null)
    {
        var options = new Dictionary<string, string?>(Options);
        foreach (var (name, value) in side.Options)
            options[name] = value;
        return
        [
            "run",
            "--backend",
            BackendOf(side),
            "--no-overhead",
            .. assembly is null ? [] : new[] { "--assembly", assembly },
            .. Scenarios.SelectMany(scenario => new[] { "--scenario", scenario }),
            .. options.SelectMany(option => option.Value is { } value ? [option.Key, value] : new[] { option.Key }),
        ];
    }

    /// <summary>This request with the full ids of its commits.</summary>
    /// <exception cref="UsageException">There is no repository here, or no such commit.</exception>
    public async Task<AbRequest> ResolveAsync(CancellationToken cancellationToken) =>
        this with
        {
            Base = await ResolveAsync(Base, Repository, cancellationToken),
            Candidate = await ResolveAsync(Candidate, Repository, cancellationToken),
        };

    /// <summary>What a project has is known only when it is built.</summary>
    /// <exception cref="UsageException">`run` would not take what a side asks for.</exception>
    public void Check()
    {
        if (Project is not null)
            return;
        foreach (var side in Sides)
            RunOptionSet.Parse(Arguments(side));
    }

    /// <summary>
    /// Where the servers of both sides come from: from containers where one side needs one, so that a container is not compared with
    /// something else.
    /// </summary>
    public DatabaseSourceKind? SourceOfServers(DatabaseEnvironment environment) =>
        Sides.Any(side => side.Conditions.NeedContainer(Source ?? Named(environment)?.Source)) ? DatabaseSourceKind.Containers : Source;

    /// <summary>Checks the conditions of the sides before anything is built or started.</summary>
    /// <returns>Why this machine cannot have them; null when nothing speaks against it.</returns>
    /// <exception cref="UsageException">They contradict something else that was asked for.</exception>
    public async Task<string?> MissingAsync(DatabaseEnvironment environment, CancellationToken cancellationToken)
    {
        foreach (var (name, side) in new[] { ("--base", Base), ("--candidate", Candidate) })
        {
            if (side.Conditions.Text.Length == 0 || Named(environment) is not { } named)
                continue;
            side.Conditions.Check(name, BackendOf(side), side.Server is not null, named with { Source = Source ?? named.Source });
            var asked = side.Conditions.Apply(named with { Source = SourceOfServers(environment) ?? named.Source });
            if (await side.Conditions.MissingAsync(name, asked, cancellationToken) is { } missing)
                return missing;
        }

        return null;
    }

    /// <summary>What variables ask for; null when one of them is not understood, which the start of the server says.</summary>
    private static DatabaseRequest? Named(DatabaseEnvironment environment) =>
        environment.TryReadRequest(DatabaseEnvironment.PostgreSql, out var request, out _) ? request : null;

    private string Repository => Project?.Folder ?? MeasuringProgram.Here.Folder;

    private static async Task<SideOfAb> ResolveAsync(SideOfAb side, string repository, CancellationToken cancellationToken) =>
        side.Commit is { } revision ? side with { Commit = await CommitBuild.ResolveAsync(revision, repository, cancellationToken) } : side;
}

using Serdica.Perf.Analysis.Gates;
using Serdica.Perf.Cli.Measuring;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;

namespace Serdica.Perf.Cli.Ab;

/// <summary>What `ab` was asked for, understood and checked.</summary>
internal sealed record AbRequest
{
    public required SideOfAb Base { get; init; }

    public required SideOfAb Candidate { get; init; }

    /// <summary>Without backend.</summary>
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

    public IReadOnlyList<string> Backends => [.. new[] { BackendOf(Base), BackendOf(Candidate) }.Distinct()];

    public string BackendOf(SideOfAb side) => side.Backend ?? Backend;

    /// <summary>The arguments that measure a side once, without the folder.</summary>
    public IReadOnlyList<string> Arguments(SideOfAb side)
    {
        var options = new Dictionary<string, string?>(Options);
        foreach (var (name, value) in side.Options)
            options[name] = value;
        return
        [
            "run", "--backend", BackendOf(side), "--no-overhead",
            .. Scenarios.SelectMany(scenario => new[] { "--scenario", scenario }),
            .. options.SelectMany(option => option.Value is { } value ? [option.Key, value] : new[] { option.Key }),
        ];
    }

    /// <summary>This request with the full ids of its commits.</summary>
    /// <exception cref="UsageException">There is no repository here, or no such commit.</exception>
    public async Task<AbRequest> ResolveAsync(CancellationToken cancellationToken) => this with
    {
        Base = await ResolveAsync(Base, cancellationToken).ConfigureAwait(false),
        Candidate = await ResolveAsync(Candidate, cancellationToken).ConfigureAwait(false),
    };

    /// <exception cref="UsageException">`run` would not take what a side asks for.</exception>
    public void Check()
    {
        foreach (var side in new[] { Base, Candidate })
            RunOptionSet.Parse(Arguments(side));
    }

    private static async Task<SideOfAb> ResolveAsync(SideOfAb side, CancellationToken cancellationToken) => side.Commit is { } revision
        ? side with { Commit = await CommitBuild.ResolveAsync(revision, MeasuringProgram.Here.Folder, cancellationToken).ConfigureAwait(false) }
        : side;
}

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>A checked request of `load`.</summary>
internal sealed record LoadRequest
{
    public required string Backend { get; init; }

    /// <summary>The profile, already scaled.</summary>
    public required LoadProfile Profile { get; init; }

    /// <summary>The scenario that does the work; null when the profile shapes the work.</summary>
    public required Scenario? Scenario { get; init; }

    /// <summary>The scenarios among the kinds of a mix, by their names in it.</summary>
    public IReadOnlyDictionary<string, Scenario> Kinds { get; init; } = new Dictionary<string, Scenario>();

    /// <summary>Where git is asked for the commit of scenarios of the user's own; null for those of the suite.</summary>
    public string? SourceFolder { get; init; }

    public double Scale { get; init; } = 1;

    /// <summary>Whether to search for the highest rate that holds.</summary>
    public bool FindMaximum { get; init; }

    /// <summary>How long the rate that a search finds must hold.</summary>
    public TimeSpan Confirmation { get; init; }

    /// <summary>Processes that generate load.</summary>
    public int Generators { get; init; } = 1;

    /// <summary>Which of them this process is, from 1; null when it is none.</summary>
    public int? Generator { get; init; }

    /// <summary>The number of generators in all.</summary>
    public int GeneratorsOfTheWhole { get; init; } = 1;

    /// <summary>The number of host processes; 0 for a host in each generator.</summary>
    public int Hosts { get; init; }

    /// <summary>The host that this process is; null when it is none.</summary>
    public HostProcessPart? Host { get; init; }

    /// <summary>Whether each operation is written to a file.</summary>
    public bool KeepOperations { get; init; }

    public bool DryRun { get; init; }

    public required SessionRequest Session { get; init; }

    /// <summary>
    /// The profile; this generator's share of it, with random arrivals of its own; or the profile with this host's share of the slots.
    /// </summary>
    public LoadProfile OwnProfile =>
        Generator is { } generator ? Profile.ShareOf(generator, GeneratorsOfTheWhole) with { Seed = Profile.Seed + generator }
        : Host is { } host ? Profile with { Slots = Profile.ShareOf(host.Number, host.Count).Slots }
        : Profile;

    public LoadWork Work =>
        Profile.Mix.Count > 0 ? LoadWork.Of(OwnProfile, Kinds)
        : Scenario is null ? LoadWork.Of(OwnProfile)
        : LoadWork.Of(OwnProfile, Scenario);
}

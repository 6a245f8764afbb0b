using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.LoadTests;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>What `load` was asked for, understood and checked.</summary>
internal sealed record LoadRequest
{
    public required string Backend { get; init; }

    /// <summary>Scaled.</summary>
    public required LoadProfile Profile { get; init; }

    /// <summary>Whose work it is; null when it is the profile's own.</summary>
    public required Scenario? Scenario { get; init; }

    public required double Scale { get; init; }

    /// <summary>Whether to look for the highest rate that holds.</summary>
    public required bool FindMaximum { get; init; }

    /// <summary>Processes that generate load.</summary>
    public required int Generators { get; init; }

    /// <summary>Which of them this process is, from 1; null when it is none.</summary>
    public required int? Generator { get; init; }

    /// <summary>How many generators this one is of.</summary>
    public required int GeneratorsOfTheWhole { get; init; }

    public required string? Output { get; init; }

    public required DatabaseSourceKind? Source { get; init; }

    /// <summary>Whether each operation is written down.</summary>
    public required bool KeepOperations { get; init; }

    /// <summary>From which level on the parts log.</summary>
    public required LogLevel LogLevel { get; init; }

    public required bool DryRun { get; init; }

    public required bool Json { get; init; }

    /// <summary>The profile, or this generator's share of it with random arrivals of its own.</summary>
    public LoadProfile OwnProfile => Generator is { } generator ? Profile.ShareOf(generator, GeneratorsOfTheWhole) with { Seed = Profile.Seed + generator } : Profile;

    public LoadWork Work => Scenario is null ? LoadWork.Of(Profile) : LoadWork.Of(Profile, Scenario);
}

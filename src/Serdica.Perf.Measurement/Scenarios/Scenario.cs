using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>The declaration of one scenario. The identical object runs on every backend.</summary>
public sealed record Scenario
{
    /// <summary>Without backend, for instance <c>immediate-burst-smoke</c>.</summary>
    public required string Name { get; init; }

    /// <summary>One of <see cref="Tiers"/>.</summary>
    public required string Tier { get; init; }

    /// <summary>One of <see cref="ScenarioFamilies"/>.</summary>
    public required string Family { get; init; }

    /// <summary>One sentence on what it stresses.</summary>
    public required string Description { get; init; }

    public required ScenarioParameters Parameters { get; init; }

    /// <summary>
    /// Operations of one wave, the next of which begins when all are complete; <see langword="null"/> is one wave of all.
    /// Of no meaning for loads other than <see cref="LoadModel.Wave"/>.
    /// </summary>
    public int? WaveSize { get; init; }

    /// <summary>Whether conflicts fail the scenario even when their repeat has resolved them.</summary>
    public bool ForbidsConflicts { get; init; }

    /// <summary>Whether it takes too long to be a part of its tier, and is measured only when it is asked for by name.</summary>
    public bool OnRequest { get; init; }

    /// <summary>
    /// Whether waiting by design and not speed decides how long it takes, so that setting its throughput beside that of
    /// another backend says nothing.
    /// </summary>
    public bool IsPaced { get; init; }

    /// <summary>
    /// Operations of the warm-up where nothing else is asked for; <see langword="null"/> is
    /// <see cref="RunOptions.DefaultWarmUp"/>. For operations that are many or large.
    /// </summary>
    public int? WarmUp { get; init; }

    /// <summary>Makes what is done with the store; called once for each run.</summary>
    public required Func<IScenarioStore, ScenarioParameters, Workload> CreateWorkload { get; init; }
}

using Serdica.Perf.Measurement.LoadTests.Work;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>The work of a load test: the shaped work of its profile, or the work of any scenario.</summary>
public sealed class LoadWork
{
    private readonly Func<IScenarioStore, Workload> _create;

    private LoadWork(Func<IScenarioStore, Workload> create) => _create = create;

    /// <summary>The shape; null for the work of a scenario.</summary>
    public WorkShape? Shape { get; private init; }

    /// <summary>The work that the profile's <see cref="LoadProfile.Work"/> shapes.</summary>
    public static LoadWork Of(LoadProfile profile)
    {
        ArgumentNullException.ThrowIfNull(profile);
        return new(store => new ShapedWorkload(store, profile.Work, EngineSettings.Options(profile.Workers, profile.Engine), profile.Slots)) { Shape = profile.Work };
    }

    /// <summary>The work of a scenario of the suite or of the user; the profile sets load and number of operations.</summary>
    public static LoadWork Of(LoadProfile profile, Scenario scenario)
    {
        ArgumentNullException.ThrowIfNull(profile);
        ArgumentNullException.ThrowIfNull(scenario);
        return new(store => scenario.CreateWorkload(store, scenario.Parameters with { Workers = profile.Workers, Engine = EngineSettings.Merged(scenario.Parameters.Engine, profile.Engine), Load = LoadModel.Open }));
    }

    /// <summary>Checks whether a load test requires what its work cannot do, before anything is started for it.</summary>
    /// <param name="profile">The load test.</param>
    /// <param name="store">Any store; nothing is opened on it.</param>
    /// <exception cref="LoadProfileException">The load test requires something impossible; the message says what.</exception>
    public async Task CheckAsync(LoadProfile profile, IScenarioStore store)
    {
        ArgumentNullException.ThrowIfNull(profile);
        Check(profile);
        if (profile.WorkerDelay <= TimeSpan.Zero && profile.Steps.All(step => step.Kind != LoadKind.BurnDown))
            return;

        var workload = Create(store);
        await using (workload.ConfigureAwait(false))
            HostOf(workload, profile);
    }

    /// <inheritdoc cref="CheckAsync"/>
    internal void Check(LoadProfile profile)
    {
        if (Shape is null && profile.Steps.Any(step => step.ReadsPerSecond > 0))
            throw new LoadProfileException($"Reads beside the load are only available for the workflow '{LoadProfile.ShapedWorkflow}', and this is '{profile.Workflow}'; leave them out.");
        if (!profile.FreshSteps && profile.Steps.Skip(1).Any(step => step.Kind == LoadKind.BurnDown))
            throw new LoadProfileException("A burn-down needs workers that have not started, so it is the first step, or each step is fresh.");
    }

    /// <summary>A workload whose workers can start late.</summary>
    /// <exception cref="LoadProfileException">The workers of this work cannot start late.</exception>
    internal static HostedWorkload HostOf(Workload workload, LoadProfile profile) =>
        workload as HostedWorkload
        ?? throw new LoadProfileException($"The workers of '{profile.Workflow}' cannot start late; a worker delay and a backlog need a workflow of instances.");

    internal Workload Create(IScenarioStore store) => _create(store);
}

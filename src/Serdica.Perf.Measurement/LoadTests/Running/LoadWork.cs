using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>What a load test drives: the shaped work of its profile, or the work of any scenario.</summary>
public sealed class LoadWork
{
    private readonly Func<IScenarioStore, Workload> _create;

    private LoadWork(Func<IScenarioStore, Workload> create) => _create = create;

    /// <summary>Its shape; null of work that is a scenario's.</summary>
    public WorkShape? Shape { get; private init; }

    /// <summary>Of the profile's <see cref="LoadProfile.Work"/>.</summary>
    public static LoadWork Of(LoadProfile profile)
    {
        ArgumentNullException.ThrowIfNull(profile);
        return new(store => new ShapedWorkload(store, profile.Work, profile.Workers, profile.Slots)) { Shape = profile.Work };
    }

    /// <summary>Of a scenario, the suite's or one's own; its load and number of operations are the profile's.</summary>
    public static LoadWork Of(LoadProfile profile, Scenario scenario)
    {
        ArgumentNullException.ThrowIfNull(profile);
        ArgumentNullException.ThrowIfNull(scenario);
        return new(store => scenario.CreateWorkload(store, scenario.Parameters with { Workers = profile.Workers, Load = LoadModel.Open }));
    }

    internal Workload Create(IScenarioStore store) => _create(store);
}

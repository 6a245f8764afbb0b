namespace Serdica.Perf.Analysis.Sizing;

/// <summary>The machine sizes that load tests require, from passed steps alone.</summary>
internal sealed record SizingAdvice
{
    private const string Machine = "machine";
    private static readonly string[] Names = ["XS", "S", "M", "L", "XL", "XXL"];

    public required SizeRule Rule { get; init; }

    /// <summary>Sizes by rising load; only those that satisfy their own rule.</summary>
    public required IReadOnlyList<TshirtSize> Sizes { get; init; }

    /// <summary>Why a size was withheld; empty when none was.</summary>
    public required IReadOnlyList<string> Breaches { get; init; }

    /// <summary>Growth by component, of processors and of memory; the highest share of the total first.</summary>
    public required IReadOnlyList<ComponentGrowth> Growths { get; init; }

    /// <summary>What rates above the measured ones would take, for those that were asked for.</summary>
    public IReadOnlyList<Projection> Projections { get; init; } = [];

    /// <summary>The steps, and the components of all steps, that were left out, and why.</summary>
    public required IReadOnlyList<string> LeftOut { get; init; }

    /// <param name="targets">Operations a second to project to.</param>
    /// <param name="cores">Cores of each machine of a projection.</param>
    /// <exception cref="LoadProfileException">No step can be used, or one of the targets cannot be projected.</exception>
    public static SizingAdvice Of(
        IReadOnlyList<LoadTestResult> tests,
        SizeRule rule,
        IReadOnlyList<double>? targets = null,
        int cores = Projection.DefaultCores
    )
    {
        if (tests.Select(test => test.Backend).Distinct().ToArray() is { Length: > 1 } backends)
            throw new LoadProfileException(
                $"These runs measured different backends ({string.Join(", ", backends)}), and a size is for one: name runs of one backend."
            );
        if (tests.Select(Work).Distinct().Count() > 1)
            throw new LoadProfileException(
                "These runs measured different work, workers, hosts, generators, reads or settings of the engine, and a size is for one: "
                    + "name runs of one load."
                    + $"{Environment.NewLine}{string.Join(Environment.NewLine, tests.Select(test => $"{test.RunId}: {Work(test)}"))}"
            );
        var steps = tests
            .SelectMany(test => test.Steps.Select(step => (Name: $"{test.RunId}, {step.Name}", Problem: Problem(step, test))))
            .ToArray();
        var usable = tests
            .SelectMany(test => StepRepeats.Typical(test.Steps.Where(step => Problem(step, test) is null)))
            .OrderBy(step => step.CompletedPerSecond)
            .ToArray();
        if (usable.Length == 0)
            throw new LoadProfileException(
                $"No step can be used for a size: {string.Join("; ", steps.Select(step => $"{step.Name}: {step.Problem}"))}."
            );

        var sizes = Spread(usable)
            .Select(
                (step, index) =>
                    new TshirtSize(Names[index], step.CompletedPerSecond, [.. Components(step).Select(rule.Of).OfType<ComponentSize>()])
            )
            .ToArray();
        return new()
        {
            Rule = rule,
            Sizes = [.. sizes.Where(size => !rule.Breaches(size).Any())],
            Breaches = [.. sizes.SelectMany(rule.Breaches)],
            Growths = Grow(usable),
            Projections = [.. (targets ?? []).Order().Select(target => Projection.Of(usable, target, cores))],
            LeftOut =
            [
                .. steps.Where(step => step.Problem is not null).Select(step => $"{step.Name}: {step.Problem}"),
                .. usable
                    .SelectMany(step => step.Resources)
                    .Select(component => component.Component)
                    .Except([Machine, ResourceFigures.Total, .. sizes.SelectMany(size => size.Components).Select(size => size.Component)])
                    .Select(component =>
                        $"{component}: no step has samples of its processors and its memory, as on a server of another machine, or "
                        + "where there is no server; the totals are without it"
                    ),
            ],
        };
    }

    private static string Work(LoadTestResult test) =>
        Invariant($"{test.Profile.WorkName}, {test.Profile.Work.Words}, {test.Profile.Workers} workers, {test.Hosts} hosts, ")
        + Invariant($"{test.Generators} generators, ")
        + Invariant($"{test.Profile.Steps.Select(step => step.ReadsPerSecond).DefaultIfEmpty().Max():0.##} reads/s, ")
        + $"slots {test.Profile.Slots?.ToString(CultureInfo.InvariantCulture) ?? "unlimited"}, engine "
        + string.Join(" ", test.Profile.Engine.OrderBy(setting => setting.Key).Select(setting => $"{setting.Key}={setting.Value}"));

    /// <summary>Why a step is left out; null when it is not. A rate must have held in each of its repeats.</summary>
    private static string? Problem(StepResult step, LoadTestResult test) =>
        Problem(step)
        ?? (
            test.Steps.FirstOrDefault(other => other.Scenario == step.Scenario && Problem(other) is not null) is { } repeat
                ? $"{repeat.Name}, which repeats it, cannot be used"
                : null
        );

    private static string? Problem(StepResult step) =>
        step switch
        {
            { Verdict: StepVerdict.Failed } => "it failed",
            { Unverified: not null } => "it was not verified",
            { Contamination: > 0 } => "work of an earlier step was left in its store",
            { Saturation: not null } => "it was not sustained",
            { GeneratorLimited: true } => "it was limited by its generator",
            _ when !Components(step).Any(component => component is { Cpu: not null, Memory: not null }) =>
                "it was too short for samples of its resources",
            _ => null,
        };

    /// <summary>The components of a step that have samples.</summary>
    public static IEnumerable<ResourceFigures> Components(StepResult step) =>
        step.Resources.Where(component => component.Component is not (ResourceFigures.Total or Machine) && component.Samples > 0);

    /// <summary>At most as many steps as there are names, including the lowest and the highest.</summary>
    private static IEnumerable<StepResult> Spread(StepResult[] steps) =>
        steps.Length <= Names.Length
            ? steps
            : Enumerable.Range(0, Names.Length).Select(index => steps[index * (steps.Length - 1) / (Names.Length - 1)]);

    private static IReadOnlyList<ComponentGrowth> Grow(StepResult[] steps) =>
        [
            .. steps
                .SelectMany(step => Components(step).Select(component => (Step: step, Component: component)))
                .GroupBy(entry => entry.Component.Component)
                .Select(entries =>
                {
                    var (step, highest) = entries.MaxBy(entry => entry.Step.CompletedPerSecond);
                    var total = step.Resources.FirstOrDefault(component => component.Component == ResourceFigures.Total);
                    return new ComponentGrowth(
                        entries.Key,
                        Growth.Of(
                            entries
                                .Where(entry => entry.Component.Cpu is not null)
                                .Select(entry => (entry.Step.CompletedPerSecond, entry.Component.Cpu!.Average))
                        ),
                        Growth.Of(
                            entries
                                .Where(entry => entry.Component.Memory is not null)
                                .Select(entry => (entry.Step.CompletedPerSecond, entry.Component.Memory!.P99))
                        ),
                        highest.Cpu?.Average / total?.Cpu?.Average,
                        highest.Memory?.Average / total?.Memory?.Average
                    );
                })
                .OrderByDescending(growth => growth.CpuShare),
        ];
}

/// <summary>The resources of one component of a size. Processors in thousandths of a core, memory in MiB.</summary>
/// <param name="CpuRequest">At least the P99 plus headroom.</param>
/// <param name="CpuLimit">50 to 100 % above the request.</param>
/// <param name="MemoryRequest">At least the P99 plus headroom.</param>
/// <param name="MemoryLimit">50 to 100 % above the request, and never below the observed maximum.</param>
internal sealed record ComponentSize(
    string Component,
    int Replicas,
    int CpuRequest,
    int CpuLimit,
    int MemoryRequest,
    int MemoryLimit,
    ResourceFigures Measured
);

/// <summary>How a component grows, and its share of all components at the highest load.</summary>
/// <param name="Cpu">Growth of the mean use of processors.</param>
/// <param name="Memory">Growth of the P99 of memory.</param>
/// <param name="CpuShare">0 to 1; null where the total is unknown.</param>
/// <param name="MemoryShare">0 to 1; null where the total is unknown.</param>
internal sealed record ComponentGrowth(string Component, Growth Cpu, Growth Memory, double? CpuShare, double? MemoryShare);

namespace Serdica.Perf.Analysis.Sizing;

/// <summary>What a rate above the measured ones would take, if use goes on in proportion.</summary>
internal sealed record Projection
{
    /// <summary>The share of a machine's processors that a projection plans with: response times grow steeply above it.</summary>
    public const double PlannedShare = 0.7;

    /// <summary>Cores of each machine where nothing else is said.</summary>
    public const int DefaultCores = 32;

    /// <summary>Operations a second.</summary>
    public required double PerSecond { get; init; }

    /// <summary>The highest rate of a step that was used.</summary>
    public required double MeasuredPerSecond { get; init; }

    /// <summary>The different rates of the steps that were used.</summary>
    public required int Rates { get; init; }

    /// <summary>The assumed number of cores of each machine.</summary>
    public required int Cores { get; init; }

    /// <summary>Each resource of each component that grows with the rate; processors first.</summary>
    public required IReadOnlyList<ProjectedUse> Uses { get; init; }

    /// <summary>Resources of components whose use does not grow with the rate; empty when all do.</summary>
    public required IReadOnlyList<string> LeftOut { get; init; }

    /// <summary>What one database server has too little of first; null when nothing is known of the database.</summary>
    public ProjectedUse? FirstLimit =>
        Uses.Where(use => use is { Component: Database, OneMachine: not null }).MinBy(use => use.OneMachine!.Value.Value);

    private const string Database = "database";

    /// <param name="steps">Steps that can be used, each with samples of its resources.</param>
    /// <param name="target">Operations a second.</param>
    /// <param name="cores">Cores of each machine.</param>
    /// <exception cref="LoadProfileException">The target was measured, or there are too few rates to project from.</exception>
    public static Projection Of(IReadOnlyList<StepResult> steps, double target, int cores)
    {
        var (highest, rates) = (
            steps.Max(step => step.CompletedPerSecond),
            RateLine.RatesOf(steps.Select(step => step.CompletedPerSecond))
        );
        if (target <= highest)
            throw new LoadProfileException(
                Invariant($"The target of {target:#,0}/s is not above the {highest:#,0}/s that were measured; the sizes of the steps say ")
                    + "what it takes."
            );
        if (rates < RateLine.FewestRates)
            throw new LoadProfileException(
                Invariant($"A projection needs steps at {RateLine.FewestRates} or more different rates, and these runs have {rates}: ")
                    + "measure more rates, for instance with --rate 500,1000,2000,4000."
            );

        var series = steps
            .SelectMany(step => Figures(step).Select(figure => (figure.Component, figure.Resource, step.CompletedPerSecond, figure.Use)))
            .GroupBy(figure => (figure.Component, figure.Resource))
            .Select(figures =>
                (figures.Key, Line: RateLine.Fit(figures.Select(figure => (figure.CompletedPerSecond, figure.Use))), Of: figures)
            )
            .ToArray();
        return new()
        {
            PerSecond = target,
            MeasuredPerSecond = highest,
            Rates = rates,
            Cores = cores,
            Uses =
            [
                .. from found in series
                where found.Line is not null
                orderby found.Key.Resource, found.Key.Component
                select Project(found.Key, found.Line, found.Of.MaxBy(figure => figure.CompletedPerSecond).Use, target, cores),
            ],
            LeftOut = [.. from found in series where found.Line is null select $"{found.Key.Component}, {Words(found.Key.Resource)}"],
        };
    }

    /// <summary>The resource in a report.</summary>
    public static string Words(ProjectedResource resource) =>
        resource switch
        {
            ProjectedResource.Processors => "cores",
            ProjectedResource.Written => "MiB/s written",
            _ => "commits/s",
        };

    private static ProjectedUse Project(
        (string Component, ProjectedResource Resource) key,
        RateLine line,
        double measured,
        double target,
        int cores
    )
    {
        var use = line.At(target);
        var planned = PlannedShare * cores;
        return key.Resource == ProjectedResource.Processors
            ? new(key.Component, key.Resource, measured, use, (int)Math.Ceiling(use.Value / planned), line.RateOf(planned))
            : new(key.Component, key.Resource, measured, use, null, null);
    }

    private static IEnumerable<(string Component, ProjectedResource Resource, double Use)> Figures(StepResult step)
    {
        foreach (var component in SizingAdvice.Components(step))
        {
            if (component.Cpu is { } cpu)
                yield return (component.Component, ProjectedResource.Processors, cpu.Average * component.Replicas);
            if (component is { Component: Database, DiskWrite: { } written })
                yield return (component.Component, ProjectedResource.Written, written.Average / (1 << 20));
        }

        if (step.CommitsPerOperation is { } commits)
            yield return (Database, ProjectedResource.Commits, commits * step.CompletedPerSecond);
    }
}

/// <summary>The use of one resource by one component at the projected rate.</summary>
/// <param name="Use">At the projected rate, with its 95 % interval.</param>
/// <param name="Machines">The number of machines that have this many cores; null for another resource.</param>
/// <param name="OneMachine">The rate up to which one machine has them, with its interval; null for another resource.</param>
internal sealed record ProjectedUse(
    string Component,
    ProjectedResource Resource,
    double Measured,
    Estimate Use,
    int? Machines,
    Estimate? OneMachine
);

/// <summary>What a rate takes more of.</summary>
internal enum ProjectedResource
{
    /// <summary>Cores in use.</summary>
    Processors,

    /// <summary>MiB a second that are written.</summary>
    Written,

    /// <summary>Commits a second.</summary>
    Commits,
}

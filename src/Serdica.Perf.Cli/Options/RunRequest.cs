namespace Serdica.Perf.Cli.Options;

/// <summary>A checked request of `run`.</summary>
internal sealed record RunRequest
{
    public required RunPlan Plan { get; init; }

    /// <summary>Scenarios that are measured in memory once, to show the overhead of engine and load generator.</summary>
    public required IReadOnlyList<Scenario> Overhead { get; init; }

    public required RunOptions Options { get; init; }

    /// <summary>Whether each operation is written to a file.</summary>
    public required bool KeepOperations { get; init; }

    public required SessionRequest Session { get; init; }

    public required int Repeat { get; init; }

    /// <summary>How containers are run, image and engine aside, which variables name.</summary>
    public required ContainerOptions Container { get; init; }

    /// <summary>Processors of the servers that are measured one after the other; none where there is one server.</summary>
    public required IReadOnlyList<double> ServerSizes { get; init; }

    /// <summary>Numbers of host processes that are measured one after the other; none where there is one number, or none.</summary>
    public IReadOnlyList<int> HostCounts { get; init; } = [];

    /// <summary>The host that this process is; null when it is none.</summary>
    public HostOfRun? Host { get; init; }

    /// <summary>The arguments for each host process: what it must know of its scenario.</summary>
    public IReadOnlyList<string> HostArguments { get; init; } = [];

    /// <summary>Whether to print the plan only.</summary>
    public required bool DryRun { get; init; }

    /// <inheritdoc cref="DatabaseRequest.ExpectedLogBytes"/>
    public long? ExpectedLogBytes => ExpectedLog.Of(Plan.Scenarios, Options, Repeat);

    /// <summary>Overrides the environment variables with these options.</summary>
    public DatabaseRequest Adjust(DatabaseRequest request)
    {
        var adjusted = request with
        {
            Source = Session.Source ?? request.Source,
            ExpectedLogBytes = ExpectedLogBytes,
            Container = Container with
            {
                Image = request.Container.Image,
                Engine = request.Container.Engine,
                Host = request.Container.Host,
            },
        };
        return HostConnections.Allow(adjusted, HostCounts.Append(Options.Hosts).Max());
    }

    /// <summary>Null without a gate.</summary>
    public required RunGate? Gate { get; init; }

    /// <summary>This request, reduced to some of the scenarios.</summary>
    public RunRequest Only(IReadOnlySet<string> names) =>
        this with
        {
            Overhead = [],
            Plan = Plan with
            {
                Backends =
                [
                    .. Plan
                        .Backends.Select(entry =>
                            (
                                entry.Backend,
                                Scenarios: (IReadOnlyList<Scenario>)
                                    [.. entry.Scenarios.Where(scenario => names.Contains(ScenarioRunner.FullName(entry.Backend, scenario)))]
                            )
                        )
                        .Where(entry => entry.Scenarios.Count > 0),
                ],
            },
        };
}

using System.CommandLine;
using Serdica.Perf.Databases;

namespace Serdica.Perf.Cli.Options;

/// <summary>The options of `run` in their groups, and how they become a <see cref="RunRequest"/>.</summary>
internal sealed class RunOptionSet(Command command)
{
    private readonly RunPlanOptions _plan = new RunPlanOptions(command.Group("Scenarios")).AddCompletions();
    private readonly RunLoadOptions _load = new(command.Group("Load"));
    private readonly Option<int?> _repeat = command.Group("Runs").Repeat("How many times each scenario is measured. Default 1.");
    private readonly Option<bool> _noOverhead = command.Switch(
        "--no-overhead",
        "Skips the measurements in memory, which show the overhead of engine and load generator."
    );
    private readonly Option<bool> _dryRun = command.Switch("--dry-run", "Prints the plan and measures nothing.");
    private readonly RunGateOptions _gate = new(command.Group("Objectives"));
    private readonly SessionOptions _session = new(command.Group("Database and results"), "the summary as JSON");
    private readonly Option<bool> _keepOperations = SessionOptions.KeepOperations(command);
    private readonly ContainerOptionSet _container = new(command.Group("Size of the database"));

    /// <summary>Reads the arguments of a `run`, starting with its own name.</summary>
    /// <exception cref="UsageException">An argument is unknown or invalid.</exception>
    public static RunRequest Parse(IReadOnlyList<string> arguments)
    {
        var command = new Command("run");
        var options = new RunOptionSet(command);
        var parsed = new RootCommand { command }.Parse(arguments);
        return parsed.Errors.Count > 0 ? throw new UsageException(UsageText.Sentence(parsed)) : options.Read(parsed);
    }

    /// <exception cref="UsageException">A name is not known, or two options contradict each other.</exception>
    public RunRequest Read(ParseResult parsed)
    {
        var plan = _plan.Read(parsed);
        var session = _session.Read(parsed);
        var gate = _gate.Read(parsed, RunRequest.Names(plan.Backends));
        var sizes = _container.Sizes(parsed);
        var container = _container.Read(parsed);
        CheckSizes(sizes, container, isJudged: gate is not null, session.Json);
        return new()
        {
            Plan = plan.Backends,
            Overhead = parsed.GetValue(_noOverhead) ? [] : RunRequest.MakeOverheadPlan(plan.Backends),
            BackendsNamed = plan.BackendsNamed,
            Tier = plan.Tier,
            SourceFolder = plan.SourceFolder,
            Options = _load.Read(parsed, plan),
            KeepOperations = parsed.GetValue(_keepOperations),
            Repeat = parsed.GetValue(_repeat) ?? 1,
            Session = session with { Source = _container.SourceOf(parsed, session.Source) },
            Container = container,
            ServerSizes = sizes,
            DryRun = parsed.GetValue(_dryRun),
            Gate = gate,
        };
    }

    private static void CheckSizes(IReadOnlyList<double> sizes, ContainerOptions container, bool isJudged, bool isJson)
    {
        if (sizes.Count > 0 && (isJudged || isJson))
        {
            throw new UsageException(
                "Several sizes of the server are several runs, and --gate and --json are for one run; leave them out, "
                    + "or name one size in --db-cpus."
            );
        }

        if (sizes.Count > 0 && container.Keep)
        {
            throw new UsageException(
                "Servers of several sizes would run at the same time and disturb each other; leave --keep-database out, "
                    + "or name one size in --db-cpus."
            );
        }
    }
}

namespace Serdica.Perf.Cli.Options;

/// <summary>The options of `run` in their groups, and how they become a <see cref="RunRequest"/>.</summary>
internal sealed class RunOptionSet(Command command)
{
    private readonly RunPlanOptions _plan = new RunPlanOptions(command.Group("Scenarios")).AddCompletions();
    private readonly RunLoadOptions _load = new(command.Group("Load"));

    /// <summary>Those that say what a scenario is and how its engine runs.</summary>
    private readonly Option[] _forHosts = [.. command.Options];
    private readonly RunHostOptions _hosts = new(command);
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
        return UsageText.Sentence(parsed) is { } mistake ? throw new UsageException(mistake) : options.Read(parsed);
    }

    /// <exception cref="UsageException">A name is not known, or two options contradict each other.</exception>
    public RunRequest Read(ParseResult parsed)
    {
        var plan = _plan.Read(parsed);
        var session = _session.Read(parsed);
        var gate = _gate.Read(parsed, plan.Names);
        var sizes = _container.Sizes(parsed);
        var container = _container.Read(parsed);
        var hosts = _hosts.Counts(parsed);
        CheckLadders(sizes, container.Keep, hosts, isJudged: gate is not null, session.Json);
        var options = _load.Read(parsed, plan) with { Hosts = hosts.Count > 0 ? hosts[0] : 0 };
        _hosts.Check(parsed, plan, options);
        return new()
        {
            Plan = plan,
            // One process cannot show the overhead of several.
            Overhead = parsed.GetValue(_noOverhead) || hosts.Count > 0 ? [] : plan.Overhead,
            Options = options,
            KeepOperations = parsed.GetValue(_keepOperations),
            Repeat = parsed.GetValue(_repeat) ?? 1,
            Session = session with { Source = _container.SourceOf(parsed, session.Source, plan) },
            Container = container,
            ServerSizes = sizes,
            HostCounts = hosts.Count > 1 ? hosts : [],
            Host = _hosts.This(parsed),
            HostArguments = hosts.Count > 0 ? ForHosts(parsed) : [],
            DryRun = parsed.GetValue(_dryRun),
            Gate = gate,
        };
    }

    /// <summary>What was typed of <see cref="_forHosts"/>.</summary>
    private IReadOnlyList<string> ForHosts(ParseResult parsed) =>
        [
            parsed.CommandResult.Command.Name,
            .. _forHosts
                .Select(parsed.GetResult)
                .OfType<OptionResult>()
                .Where(option => !option.Implicit)
                .SelectMany(option =>
                    option.Tokens.Count == 0
                        ? [option.IdentifierToken!.Value]
                        : option.Tokens.SelectMany(token => (string[])[option.IdentifierToken!.Value, token.Value])
                ),
        ];

    private static void CheckLadders(IReadOnlyList<double> sizes, bool keeps, IReadOnlyList<int> hosts, bool isJudged, bool isJson)
    {
        if (sizes.Count > 0 && keeps)
        {
            throw new UsageException(
                "Servers of several sizes would run at the same time and disturb each other; leave --keep-database out, "
                    + "or name one size in --db-cpus."
            );
        }

        if (sizes.Count > 0 && hosts.Count > 1)
        {
            throw new UsageException(
                "A ladder varies one thing, and --db-cpus and --hosts both have several values; give several values to only one of them."
            );
        }

        (string Levels, string One)? ladder =
            sizes.Count > 0 ? ("sizes of the server", "one size in --db-cpus")
            : hosts.Count > 1 ? ("numbers of hosts", "one number in --hosts")
            : null;
        if (ladder is { } several && (isJudged || isJson))
        {
            throw new UsageException(
                $"Several {several.Levels} make several runs, and --gate and --json take one; leave them out, or name {several.One}."
            );
        }
    }
}

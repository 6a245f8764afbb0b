namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>The options of `load` in their groups, and how they become a <see cref="LoadRequest"/>.</summary>
internal sealed class LoadOptionSet(Command command)
{
    private readonly Option<string?> _backend = BackendOption.Declare(command.Group("Test"));
    private readonly Option<string?> _profile = command.Text(
        "--profile",
        "NAME|FILE",
        $"A load test from a file, or one that comes with the suite: {string.Join(", ", ShippedProfiles.Names)}. "
            + "Other options override it."
    );
    private readonly Option<string?> _scale = command.Text(
        "--scale",
        "SHARE",
        "Shortens all durations, pauses and backlogs: 0.01 turns 5 minutes into 3 seconds."
    );
    private readonly LoadRateOptions _rate = new(command.Group("Rate"));
    private readonly LoadWorkOptions _work = new(command.Group("Work"));
    private readonly LoadObjectiveOptions _objectives = new(command.Group("Objectives"));
    private readonly LoadEngineOptions _engine = new(command.Group("Engine"));
    private readonly Option<int?> _repeat = command
        .Group("Runs")
        .Repeat("How many times the whole test runs, each time on a fresh store. Default 1.");
    private readonly LoadGeneratorOptions _generators = new(command);
    private readonly LoadHostOptions _hosts = new(command);
    private readonly Option<bool> _dryRun = command.Switch("--dry-run", "Prints the steps and runs nothing.");
    private readonly SessionOptions _session = new(command.Group("Database and results"), "load.json");
    private readonly Option<bool> _keepOperations = SessionOptions.KeepOperations(command);

    /// <summary>The arguments for each of several generators or hosts: what was typed, without the options of the whole.</summary>
    public IReadOnlyList<string> ForProcesses(ParseResult parsed) =>
        _session.ForProcesses(parsed, _generators.OfTheWhole, _hosts.OfTheWhole);

    /// <exception cref="UsageException">The backend, the assembly or the scenario is not known.</exception>
    /// <exception cref="LoadProfileException">A value is not understood, or two options contradict each other.</exception>
    public LoadRequest Read(ParseResult parsed)
    {
        var typed = new TypedValues(parsed);
        var backend = BackendOption.Read(parsed, _backend);
        var scale = typed.Share(_scale) ?? 1;
        if (scale <= 0)
            throw typed.Error($"{_scale.Name} is 0; it must be above 0 and at most 1");

        var file = typed.Text(_profile) is { } profile ? ShippedProfiles.Read(profile) : new LoadProfile { Name = "load", Steps = [] };
        var test = _rate.Apply(_work.Apply(_engine.Apply(_objectives.Apply(file, typed), typed), typed), typed);
        test = test.Scaled(scale).Repeated(typed.Number(_repeat) ?? 1);
        var scenario = _work.Find(test, typed);
        _rate.Check(test, _generators.Count(typed), typed);
        _engine.Check(test, typed);
        _generators.Check(test, typed);
        _hosts.Check(test, backend, _generators.Count(typed), typed);
        _objectives.Check(test, _rate.FindsMaximum(typed), _generators.Count(typed), typed);
        return new()
        {
            Backend = backend,
            Profile = test,
            Scenario = scenario,
            Kinds = _work.FindKinds(test, typed),
            SourceFolder = _work.SourceFolder(typed),
            Scale = scale,
            FindMaximum = _rate.FindsMaximum(typed),
            Confirmation = _rate.Confirmation(test, typed),
            Generators = _generators.Count(typed),
            Generator = _generators.This(typed)?.Number,
            GeneratorsOfTheWhole = _generators.This(typed)?.Count ?? 1,
            Hosts = _hosts.Count(typed),
            Host = _hosts.This(parsed),
            KeepOperations = typed.IsSet(_keepOperations),
            DryRun = typed.IsSet(_dryRun),
            Session = _session.Read(parsed),
        };
    }
}

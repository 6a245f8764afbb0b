namespace Serdica.Perf.Cli.Ab;

/// <summary>The options of `ab`, and how they become an <see cref="AbRequest"/>.</summary>
internal sealed class AbOptionSet(Command command)
{
    private const int DefaultBlocks = 10;
    private const int MaxBlocks = 1_000;
    private const string DefaultScenario = "signal-roundtrip-throughput-parallel";

    private readonly Option<string> _base = command
        .Group("Sides")
        .Declare(
            new Option<string>("--base") { HelpName = "REF", Description = $"The side to compare with: {SideOfAb.Forms}.", Required = true }
        );

    private readonly Option<string> _candidate = command.Declare(
        new Option<string>("--candidate")
        {
            HelpName = "REF",
            Description = "The side that is compared with the base, in the same forms.",
            Required = true,
        }
    );

    private readonly Option<string?> _backend = command.Text(
        "--backend",
        "NAME",
        $"The backend of both sides: {string.Join(", ", BackendNames.All)}. Default {BackendNames.PostgreSql}."
    );
    private readonly Option<string[]> _scenarios = command
        .Group("Work")
        .Names("--scenario", "NAME", $"Scenarios, comma-separated or repeated. Default {DefaultScenario}, or all of --project.");
    private readonly Option<string?> _project = command.Text(
        "--project",
        "FILE",
        "A project with scenarios of your own, or its folder; see 'serdica-perf init'. commit:REV is then a commit of its repository."
    );

    /// <summary>Options of `run` that hold for both sides.</summary>
    private readonly Option<string?>[] _forwarded =
    [
        command.Text("--operations", "N", "Operations in each measured window."),
        command.Text("--concurrency", "N", "Callers that issue operations at the same time."),
        command.Text("--load", "serial|wave|closed", "The same as in 'run'."),
        command.Text("--warmup", "N", "The same as in 'run'."),
        command.Group("Engine").Text("--workers", "N", "Signal workers."),
    ];

    private readonly Option<int?> _blocks = command
        .Group("Blocks")
        .Number(
            "--blocks",
            $"Blocks of four measurements, two of each side: ABBA, BAAB and so on. Default {DefaultBlocks}.",
            BlockComparer.FewestBlocks,
            MaxBlocks
        );
    private readonly Option<string?> _gate = command
        .Group("Objectives")
        .Text(
            "--gate",
            "FILE",
            "Limits, for instance perf-gate.json; the exit code is 3 when one is exceeded, and 5 when too little could be judged."
        );
    private readonly Option<DatabaseSourceKind?> _source = SessionOptions.Source(command.Group("Database and results"));
    private readonly Option<string?> _folder = SessionOptions.Output(command, "Where the folder of the comparison is written.");
    private readonly Option<bool> _json = SessionOptions.Json(command, AbFolder.ResultFile);

    /// <exception cref="UsageException">A name is not known, or `run` would not take what a side asks for.</exception>
    public AbRequest Read(ParseResult parsed)
    {
        var project = parsed.GetValue(_project) is { } text ? OwnProject.Find(text) : null;
        var named = OptionDeclarations.Split(parsed.GetValue(_scenarios));
        if (project is null && named.Count == 0)
            named.Add(DefaultScenario);

        // What a project has is known only when it is built.
        var scenarios = project is null
            ? named.Select(name => ScenarioNames.Parse(name, [])).Select(choice => (choice.Backend, choice.Scenario.Name)).ToArray()
            : [.. named.Select(name => (Backend: (string?)null, Name: name))];
        var request = new AbRequest
        {
            Base = SideOfAb.Parse(_base.Name, parsed.GetValue(_base)!),
            Candidate = SideOfAb.Parse(_candidate.Name, parsed.GetValue(_candidate)!),
            Project = project,
            Scenarios = [.. scenarios.Select(choice => choice.Name).Distinct()],
            Backend = Backend(parsed.GetValue(_backend), [.. scenarios.Select(choice => choice.Backend).OfType<string>().Distinct()]),
            Options = _forwarded.Where(option => parsed.GetValue(option) is not null).ToDictionary(option => option.Name, parsed.GetValue),
            Blocks = parsed.GetValue(_blocks) ?? DefaultBlocks,
            Source = parsed.GetValue(_source),
            Gate = parsed.GetValue(_gate) is { } gate ? GateReader.Read(gate) : null,
            Output = parsed.GetValue(_folder) ?? RunFolder.DefaultRoot,
            Json = parsed.GetValue(_json),
        };
        request.Check();
        if (request is { Gate: { } limits, Scenarios.Count: > 0 })
        {
            GateNames.Check(
                limits,
                parsed.GetValue(_gate)!,
                request.Scenarios.SelectMany(scenario => request.Backends.Select(backend => $"{backend}-{scenario}"))
            );
        }

        return request;
    }

    private static string Backend(string? named, IReadOnlyList<string> ofScenarios)
    {
        if (named is not null)
            ScenarioNames.CheckBackend(named);
        return named is not null && ofScenarios.All(backend => backend == named) ? named
            : named is null && ofScenarios.Count <= 1 ? ofScenarios.FirstOrDefault() ?? BackendNames.PostgreSql
            : throw new UsageException(
                $"The scenarios name the backends {string.Join(", ", ofScenarios)}, but ab measures one backend on both sides; "
                    + "name scenarios without a backend. To compare two backends, give --base backend:NAME --candidate backend:NAME."
            );
    }
}

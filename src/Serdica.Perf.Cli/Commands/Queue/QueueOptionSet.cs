namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>The options of `queue`, and how they become a <see cref="QueueRequest"/>.</summary>
internal sealed class QueueOptionSet(Command command)
{
    private readonly Option<string?> _backend = BackendOption.Declare(command.Group("Test"));
    private readonly QueueLoadOptions _load = new(command.Group("Writers"));
    private readonly QueueReaderOptions _readers = new(command.Group("Queues and readers"));
    private readonly Option<string[]> _engine = EngineOption.Declare(command.Group("Engine"));
    private readonly Option<string?> _report = command
        .Group("Runs")
        .Text("--report", "TIME", "The interval of progress reports. Default 5s.");
    private readonly Option<int?> _repeat = command.Repeat("How many times the queue is measured, each time on fresh tables. Default 1.");
    private readonly SessionOptions _session = new(command.Group("Database and results"), "queue.json");

    /// <summary>The arguments for each host process.</summary>
    public IReadOnlyList<string> ForHosts(ParseResult parsed) => _session.ForProcesses(parsed, _readers.Hosts.OfTheWhole);

    /// <exception cref="UsageException">The backend is not known.</exception>
    /// <exception cref="LoadProfileException">A value is invalid, or two options contradict each other.</exception>
    public QueueRequest Read(ParseResult parsed)
    {
        var typed = new TypedValues(parsed);
        var backend = BackendOption.Read(parsed, _backend);
        var repeats = typed.Number(_repeat) ?? 1;
        var levels = _load.Levels(parsed, repeats, typed);
        var plan = _readers.Apply(_load.Apply(new QueuePlan(), typed), parsed, typed);
        plan = plan with { ReportInterval = typed.Duration(_report) ?? plan.ReportInterval };
        if (plan.Duration <= TimeSpan.Zero || plan.ReportInterval <= TimeSpan.Zero)
            throw typed.Error("--duration and --report must be longer than 0s");
        QueuePlan[] plans = levels.Count == 0 ? [plan] : [.. levels.Select(writers => plan with { Writers = writers })];
        var engine = typed.Engine(_engine);
        _readers.Check(plans[0], backend, engine, typed);
        if (engine.ContainsKey("linger"))
            throw typed.Error("--linger sets how long readers of a queue linger; leave linger out of --engine");
        return new(backend, plans, repeats, engine, _session.Read(parsed))
        {
            Hosts = _readers.Hosts.Count(typed),
            Host = _readers.Hosts.This(parsed),
        };
    }
}

/// <summary>A checked request of `queue`.</summary>
/// <param name="Plans">One plan, or the levels of a ladder.</param>
/// <param name="Repeats">How many times the one plan is measured.</param>
/// <param name="Session">Where the database comes from, and where the results go.</param>
internal sealed record QueueRequest(
    string Backend,
    IReadOnlyList<QueuePlan> Plans,
    int Repeats,
    IReadOnlyDictionary<string, string> Engine,
    SessionRequest Session
)
{
    /// <value>Processes that read; 0 when the measuring process does.</value>
    public int Hosts { get; init; }

    /// <value>Which of them this process is; null for the one that measures.</value>
    public HostProcessPart? Host { get; init; }
}

using System.CommandLine;
using Microsoft.Extensions.Logging;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.LoadTests.Profiles;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Queues;

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>The options of `queue`, and how they become a <see cref="QueueRequest"/>.</summary>
internal sealed class QueueOptionSet
{
    private static readonly QueuePlan Standard = new();

    private readonly Option<string?> _backend = Text(
        "--backend", "NAME", $"One of {string.Join(", ", BackendNames.All)}. Default {BackendNames.PostgreSql}.");
    private readonly Option<int?> _writers = NumberOption.Create(
        "--writers", $"Writers, each with one write in flight. Default {Standard.Writers}.", 1, 100_000);
    private readonly Option<LadderOfCallers?> _ladder = LadderOfCallers.Option(
        "Measures these numbers of writers one after another, each on fresh tables, "
            + "and reports after which level more writers stop paying off.");
    private readonly Option<int?> _readers = NumberOption.Create(
        "--readers", $"Readers, distributed over queues and subscribers; each needs at least one. Default {Standard.Readers}.", 1, 10_000);
    private readonly Option<string?> _payload = Text("--payload", "SIZE", "The size of a message: 512, 1kb, 4KiB. Default 1KiB.");
    private readonly Option<string?> _duration = Text("--duration", "TIME", "How long the writers write. Default 60s.");
    private readonly Option<string?> _warmUp = Text(
        "--warmup", "TIME", "Writing and reading before that; no figure includes it. Default 2s.");
    private readonly Option<string?> _throttle = Text(
        "--throttle", "N", "Messages per second from all writers, on a schedule. Default as fast as possible.");
    private readonly Option<string?> _linger = Text(
        "--linger", "TIME",
        "How long a reader that found more than one message waits before its next poll, so that the poll finds more. "
        + "Default 2ms; 0s is no wait.");
    private readonly Option<string[]> _engine = EngineOption.Create();
    private readonly Option<int?> _maxUnread = NumberOption.Create(
        "--max-unread", $"Writers wait while this many messages are unread. Default {Standard.MaxUnread}.", 1, 10_000_000);
    private readonly Option<QueueMode?> _mode = RunOptionSet.Word(
        "--mode", "queue: one reader gets a message; pubsub: every subscriber gets it. Default queue.", QueueMode.Queue, QueueMode.PubSub);
    private readonly Option<int?> _subscribers = NumberOption.Create(
        "--subscribers", "Subscribers of each queue, with --mode pubsub. Default 2.", 1, 100);
    private readonly Option<int?> _queues = NumberOption.Create("--queues", "Queues, each with tables of its own. Default 1.", 1, 100);
    private readonly Option<bool> _noVacuumTuning = new("--no-vacuum-tuning")
    {
        Description = "Leaves the queue's table to the server's own vacuum settings.",
    };

    private readonly Option<string?> _report = Text("--report", "TIME", "The interval of progress reports. Default 5s.");
    private readonly Option<string?> _drain = Text(
        "--drain", "TIME", "How long the readers may take for messages that are left at the end. Default 30s.");
    private readonly Option<int?> _repeat = RunOptionSet.RepeatOption(
        "How many times the queue is measured, each time on fresh tables. Default 1.");
    private readonly Option<DatabaseSourceKind?> _source = RunOptionSet.SourceOption();
    private readonly Option<string?> _output = RunOptionSet.OutputOption();
    private readonly Option<LogLevel?> _logLevel = RunOptionSet.LogLevelOption();
    private readonly Option<bool> _json = new("--json")
    {
        Description = "Prints only queue.json on standard output. Progress goes to standard error.",
    };

    public void AddTo(Command command)
    {
        foreach (var option in (Option[])
        [
            _backend, _writers, _ladder, _readers, _payload, _duration, _warmUp, _throttle, _linger, _engine, _maxUnread, _mode,
            _subscribers, _queues, _noVacuumTuning, _report, _drain, _repeat, _source, _output, _logLevel, _json,
        ])
            command.Options.Add(option);
    }

    /// <exception cref="UsageException">The backend is not known.</exception>
    /// <exception cref="LoadProfileException">A value is invalid, or two options contradict each other.</exception>
    public QueueRequest Read(ParseResult parsed)
    {
        var values = new ProfileValues(null);
        var backend = parsed.GetValue(_backend) ?? BackendNames.PostgreSql;
        ScenarioNames.CheckBackend(backend);
        var mode = parsed.GetValue(_mode) ?? QueueMode.Queue;
        if (mode == QueueMode.Queue && parsed.GetValue(_subscribers) is not null)
            throw values.Error("--subscribers is for --mode pubsub; leave it out");
        var ladder = parsed.GetValue(_ladder)?.Levels ?? [];
        if (ladder.Count > 0 && (parsed.GetValue(_writers) is not null || parsed.GetValue(_repeat) > 1))
            throw values.Error("--ladder sets the numbers of writers and measures each once; leave --writers and --repeat out");
        var plan = new QueuePlan
        {
            Writers = ladder.Count > 0 ? ladder[0] : parsed.GetValue(_writers) ?? Standard.Writers,
            Readers = parsed.GetValue(_readers) ?? Standard.Readers,
            PayloadBytes = values.Bytes("--payload", parsed.GetValue(_payload)) ?? Standard.PayloadBytes,
            Duration = values.Duration("--duration", parsed.GetValue(_duration)) ?? Standard.Duration,
            WarmUp = values.Duration("--warmup", parsed.GetValue(_warmUp)) ?? Standard.WarmUp,
            PerSecond = values.Rate("--throttle", parsed.GetValue(_throttle))?.PerSecond,
            Linger = values.Duration("--linger", parsed.GetValue(_linger)) ?? Standard.Linger,
            MaxUnread = parsed.GetValue(_maxUnread) ?? Standard.MaxUnread,
            Mode = mode,
            Subscribers = parsed.GetValue(_subscribers) ?? Standard.Subscribers,
            Queues = parsed.GetValue(_queues) ?? Standard.Queues,
            TuneVacuum = !parsed.GetValue(_noVacuumTuning),
            ReportInterval = values.Duration("--report", parsed.GetValue(_report)) ?? Standard.ReportInterval,
            DrainLimit = values.Duration("--drain", parsed.GetValue(_drain)) ?? Standard.DrainLimit,
        };
        if (plan.Duration <= TimeSpan.Zero || plan.ReportInterval <= TimeSpan.Zero)
            throw values.Error("--duration and --report must be longer than 0s");
        var read = plan.Queues * plan.Copies;
        if (plan.Readers < read)
        {
            var copies = plan.Copies == 1 ? "" : $", one for each of {plan.Copies} subscribers to {plan.Queues}";
            throw values.Error($"--readers is {plan.Readers}, and there are {read} queues to read{copies}; give {read} or more");
        }

        if (plan.Writers < plan.Queues)
            throw values.Error($"--writers is {plan.Writers}, and there are {plan.Queues} queues to write to; give {plan.Queues} or more");
        var engine = EngineOption.Read(parsed, _engine);
        if (engine.ContainsKey("linger"))
            throw values.Error("--linger sets how long readers of a queue linger; leave linger out of --engine");
        return new(
            backend, ladder.Count > 0 ? [.. ladder.Select(writers => plan with { Writers = writers })] : [plan],
            parsed.GetValue(_repeat) ?? 1, engine, parsed.GetValue(_source), parsed.GetValue(_output),
            parsed.GetValue(_logLevel) ?? LogLevel.Information, parsed.GetValue(_json));
    }

    private static Option<string?> Text(string name, string helpName, string description) =>
        new(name) { HelpName = helpName, Description = description };
}

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>How many queues there are, and who reads them.</summary>
internal sealed class QueueReaderOptions(Command command)
{
    private static readonly QueuePlan Standard = new();

    private readonly Option<int?> _queues = command.Number("--queues", "Queues, each with its own tables. Default 1.", 1, 100);
    private readonly Option<QueueMode?> _mode = command.Word(
        "--mode",
        "queue: one reader gets a message; pubsub: every subscriber gets it. Default queue.",
        QueueMode.Queue,
        QueueMode.PubSub
    );
    private readonly Option<int?> _subscribers = command.Number(
        "--subscribers",
        "Subscribers of each queue, with --mode pubsub. Default 2.",
        1,
        100
    );
    private readonly Option<int?> _readers = command.Number(
        "--readers",
        $"Readers, distributed over queues and subscribers; each needs at least one. Default {Standard.Readers}.",
        1,
        10_000
    );

    public HostCountOptions Hosts { get; } =
        new(
            command,
            "Processes that read, all from the same tables; the readers are distributed over them. The measuring process then only writes. "
                + "Default: the measuring process also reads."
        );

    private readonly Option<string?> _linger = command.Text(
        "--linger",
        "TIME",
        "How long a reader that found more than one message waits before its next poll, so that the poll finds more. "
            + "Default 2ms; with 0s it does not wait."
    );
    private readonly Option<string?> _drain = command.Text(
        "--drain",
        "TIME",
        "How long the readers may take to read the messages that are left at the end. Default 30s."
    );
    private readonly Option<bool> _noVacuumTuning = command.Switch(
        "--no-vacuum-tuning",
        "Uses the server's own vacuum settings for the queue's table."
    );

    public QueuePlan Apply(QueuePlan plan, ParseResult parsed, TypedValues typed)
    {
        var mode = parsed.GetValue(_mode) ?? plan.Mode;
        if (mode == QueueMode.Queue && typed.Number(_subscribers) is not null)
            throw typed.Error("--subscribers is for --mode pubsub; leave it out");
        return plan with
        {
            Queues = typed.Number(_queues) ?? plan.Queues,
            Mode = mode,
            Subscribers = typed.Number(_subscribers) ?? plan.Subscribers,
            Readers = typed.Number(_readers) ?? plan.Readers,
            Linger = typed.Duration(_linger) ?? plan.Linger,
            DrainLimit = typed.Duration(_drain) ?? plan.DrainLimit,
            TuneVacuum = !typed.IsSet(_noVacuumTuning),
        };
    }

    /// <exception cref="LoadProfileException">A queue would have no reader, or none in a host, or no writer.</exception>
    public void Check(QueuePlan plan, string backend, IReadOnlyDictionary<string, string> engine, TypedValues typed)
    {
        var hosts = Hosts.Checked(backend, engine, typed);
        var read = plan.Queues * plan.Copies;
        if (plan.Readers < read)
        {
            var copies = plan.Copies == 1 ? "" : $" ({plan.Queues} times {plan.Copies} subscribers)";
            throw typed.Error($"{_readers.Name} is {plan.Readers}, but there are {read} queues to read{copies}; give {read} or more");
        }

        if (plan.Readers < hosts * read)
        {
            var queues = read == 1 ? "" : $" for each of {read} queues";
            throw typed.Error(
                $"{hosts} hosts cannot share {plan.Readers} readers, because each needs one{queues}; "
                    + $"give {hosts * read} or more, or fewer hosts"
            );
        }

        if (plan.Writers < plan.Queues)
        {
            throw typed.Error($"--writers is {plan.Writers}, but there are {plan.Queues} queues to write to; give {plan.Queues} or more");
        }
    }
}

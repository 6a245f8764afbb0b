namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>What is written to the queue, by how many writers and for how long.</summary>
internal sealed class QueueLoadOptions(Command command)
{
    private static readonly QueuePlan Standard = new();

    private readonly Option<int?> _writers = command.Number(
        "--writers",
        $"Writers, each with one write in flight. Default {Standard.Writers}.",
        1,
        100_000
    );
    private readonly Option<LadderOfCallers?> _ladder = command.Declare(
        LadderOfCallers.Option(
            "Measures these numbers of writers one after another, each on fresh tables, "
                + "and reports the level above which more writers hardly raise the throughput."
        )
    );
    private readonly Option<string?> _throttle = command.Text(
        "--throttle",
        "N",
        "Messages per second from all writers, on a schedule. Default as fast as possible."
    );
    private readonly Option<string?> _payload = command.Text("--payload", "SIZE", "The size of a message: 512, 1kb, 4KiB. Default 1KiB.");
    private readonly Option<int?> _maxUnread = command.Number(
        "--max-unread",
        $"Writers wait while this many messages are unread. Default {Standard.MaxUnread}.",
        1,
        10_000_000
    );
    private readonly Option<string?> _duration = command.Text("--duration", "TIME", "How long the writers write. Default 60s.");
    private readonly Option<string?> _warmUp = command.Text(
        "--warmup",
        "TIME",
        $"How long writers and readers run unmeasured first; no figure includes it. Default {Quantity.Text(Standard.WarmUp)}."
    );

    /// <summary>The numbers of writers of a ladder; empty without one.</summary>
    /// <exception cref="LoadProfileException">There are other numbers of writers, or repeats.</exception>
    public IReadOnlyList<int> Levels(ParseResult parsed, int repeats, TypedValues typed)
    {
        if (parsed.GetValue(_ladder) is not { } ladder)
            return [];
        return typed.Number(_writers) is null && repeats == 1
            ? ladder.Levels
            : throw typed.Error("--ladder sets the numbers of writers and measures each once; leave --writers and --repeat out");
    }

    public QueuePlan Apply(QueuePlan plan, TypedValues typed) =>
        plan with
        {
            Writers = typed.Number(_writers) ?? plan.Writers,
            PerSecond = typed.PerSecond(_throttle),
            PayloadBytes = typed.Bytes(_payload) ?? plan.PayloadBytes,
            MaxUnread = typed.Number(_maxUnread) ?? plan.MaxUnread,
            Duration = typed.Duration(_duration) ?? plan.Duration,
            WarmUp = typed.Duration(_warmUp) ?? plan.WarmUp,
        };
}

namespace Serdica.Perf.Cli.Commands.Queue;

/// <summary>`queue`: measures the bare queue with writers and readers.</summary>
internal sealed class QueueCommand
{
    private const string Examples = """
        Examples:
          serdica-perf queue
            10 writers and 20 readers on PostgreSQL for 1 minute, with messages of
            1 KiB and at most 2,000 unread.
          serdica-perf queue --throttle 200 --duration 30s
            200 messages a second, to measure latency without a backlog.
          serdica-perf queue --mode pubsub --subscribers 3 --queues 2 --report 1s
            2 queues, each with 3 subscribers that get every message. Reports every
            second.
          serdica-perf queue --ladder 1,4,16,64 --duration 20s
            Rising numbers of writers, and the level after which more writers stop
            paying off.
          serdica-perf queue --repeat 3
            Measures 3 times, each time on fresh tables, and reports each result.
          serdica-perf queue --no-vacuum-tuning
            Leaves the queue's tables to the server's own vacuum settings.

        Exit codes:
          0  no message was lost or read twice; the result may be degraded, with the
             reason reported
          1  messages were lost, read twice or left unread, the readers did not keep
             up, or the test could not be finished; the files are kept
          2  a name or value is unknown or invalid; nothing was run
          4  the backend is not available
          130  stopped by Ctrl-C; the run is marked as aborted
        """;

    public QueueCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        Command = new DocumentedCommand(
            "queue",
            "Measures the bare queue of a backend with writers and readers, without workflows.",
            Examples
        );
        var options = new QueueOptionSet(Command);
        Command.SetAction(
            (parsed, cancellationToken) =>
            {
                var request = options.Read(parsed);
                var test = new QueueTestRun(request) { Command = CommandText.Of(parsed), Session = request.Session };
                return test.RunAsync(output, error, environment, cancellationToken);
            }
        );
    }

    public Command Command { get; }
}

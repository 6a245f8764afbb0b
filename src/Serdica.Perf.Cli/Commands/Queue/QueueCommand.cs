using Serdica.Perf.Measurement.Queues;

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
          serdica-perf queue --hosts 4 --readers 20
            4 processes with 5 readers each claim from the same table; this one only
            writes.
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
            async (parsed, cancellationToken) =>
            {
                var request = options.Read(parsed);
                if (request.Host is { } host)
                {
                    using var parent = new ParentProcess(Console.In, cancellationToken);
                    return await new HostSession(output, error, environment).RunAsync(
                        stores => Readers(stores, request, host, output),
                        request.Backend,
                        host,
                        parent
                    );
                }

                var test = new QueueTestRun(request, options.ForHosts(parsed))
                {
                    Command = CommandText.Of(parsed),
                    Session = request.Session,
                };
                return await test.RunAsync(output, error, environment, cancellationToken);
            }
        );
    }

    public Command Command { get; }

    private static IReadOnlyList<QueueReaders> Readers(
        IReadOnlyList<IScenarioStore> stores,
        QueueRequest request,
        HostProcessPart host,
        TextWriter output
    ) =>
        QueueReaders.Of(
            stores,
            request.Plans[0],
            request.Engine,
            host.Number,
            host.Count,

            // A reader waits here when the process that measures does not keep up, so that nothing piles up.
            read => output.WriteLine(read.Line)
        );
}

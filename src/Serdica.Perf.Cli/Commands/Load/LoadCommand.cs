namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>`load`: drives a workflow at a rate and reports whether the rate was held, the latency, and what limits it.</summary>
internal sealed class LoadCommand
{
    private const string Examples = """
        Examples:
          serdica-perf load --rate 100 --duration 1m
            Starts 100 round trips per second on PostgreSQL, at random times.
          serdica-perf load --ramp 2000 --duration 30s --p99 25ms
            Steps of 1,000, 1,500 and 2,000 per second. Each p99 may be at most 25 ms.
          serdica-perf load --profile temporal-dsql --scale 0.05
            A published load test, shortened to a twentieth of its duration.
          serdica-perf load --users 64 --delay 5ms --slots 100 --failure-rate 1% \
              --payload 4KiB
            64 callers, each of which waits for its own completion. Activities take
            5 ms, and 1 % of them fail on purpose.
          serdica-perf load --rate 500 --mix signal-roundtrip=70,start-only=30
            Two kinds of operations, chosen by weight and --seed. Each kind has its own
            figures and checks.
          serdica-perf load --backlog 20000
            Prepares a backlog, which the workers then drain as fast as they can.
          serdica-perf load --oscillate 200..2000 --period 20s --duration 2m
            A rate that alternates: 2,000 per second for 10 s, then 200 for 10 s.
          serdica-perf load --rate 5000 --backlog-between 500..5000 --duration 2m
            A backlog that oscillates between two bounds.
          serdica-perf load --find-max --p99 50ms --duration 10s
            Searches for the highest rate that holds, with trials of 10 s, and confirms
            it in a step of 1 minute.
          serdica-perf load --rate 500 --duration 5m --abort-on-threshold \
              --threshold "responseTime:p99.9 < 80ms" --threshold "errorRate < 0.1%"
            Limits on any metric and percentile. A limit that is surely broken ends the
            test.
          serdica-perf load --users 64 --duration 1m --hosts 4
            4 processes host the workflows on one store; this one only drives them.
          serdica-perf load --rate 2000 --duration 5m --p99 25ms --repeat 3
            Runs the same test 3 times, each time on a fresh store.
          serdica-perf load -e 500 -d 60s -D 10ms -F 2 -P 1kb -s 100 -w 10s
            The one-letter forms, which are case-sensitive.

        Exit codes:
          0  every step passed or was degraded, with the reason reported;
             with --find-max, a rate was found and confirmed
          1  a step failed, no rate was found or confirmed, or the test could not be
             finished; the files are kept
          2  a name or value is unknown or invalid; nothing was run
          4  the backend is not available
          130  stopped by Ctrl-C; the run is marked as aborted
        """;

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly LoadOptionSet _options;

    public LoadCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        (_output, _error, _environment) = (output, error, environment);
        Command = new DocumentedCommand("load", "Drives a workflow at a rate, in steps or with callers, and judges each step.", Examples);
        _options = new(Command);
        Command.SetAction(RunAsync);
    }

    public Command Command { get; }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var request = _options.Read(parsed);
        await CheckAsync(request);
        if (request.DryRun)
        {
            if (request.Session.Json)
                _output.WriteLine(JsonSerializer.Serialize(request.Profile, MeasurementJson.Artifacts));
            else
                LoadPlan.Write(_output, request.Profile, request.Backend, request.Hosts, request.FindMaximum ? request.Confirmation : null);
            return ExitCodes.Success;
        }

        using var one = request is { Generator: null, Host: null } ? null : new ParentProcess(Console.In, cancellationToken);
        if (request.Host is { } host)
        {
            return await new HostSession(_output, _error, _environment).RunAsync(
                stores => [LoadWork.RemoteHostOf(request.Work.Create(stores[0]), request.Profile)],
                request.Backend,
                host,
                one!
            );
        }

        var test = new LoadTestRun(request, _options.ForProcesses(parsed), one)
        {
            Command = CommandText.Of(parsed),
            Session = request.Session,
        };
        return await test.RunAsync(_output, _error, _environment, one?.Token ?? cancellationToken);
    }

    /// <summary>
    /// Checks the request before anything starts. The work of a scenario is checked on a store in memory, whatever the
    /// backend.
    /// </summary>
    private static async Task CheckAsync(LoadRequest request)
    {
        await using (var store = new InMemoryStore())
            await request.Work.CheckAsync(request.OwnProfile, store, request.Hosts);
    }
}

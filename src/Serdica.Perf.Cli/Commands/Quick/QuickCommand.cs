using Serdica.Perf.Cli.Commands.Load;

namespace Serdica.Perf.Cli.Commands.Quick;

/// <summary>`quick`: the first figures of a machine, about a minute of measurement, beside the published ones.</summary>
internal sealed class QuickCommand
{
    private const string Examples = """
        Examples:
          serdica-perf quick
            Round trips on PostgreSQL with 1, 16 and 64 callers, 20 s each: a table,
            what limits this machine, and how it compares with the published figures.
          serdica-perf quick --backend documentdb
            The same on DocumentDB.

        Exit codes:
          0  measured, and every result was correct
          1  a verification failed or the test could not be finished; the files are
             kept
          2  a name or value is unknown or invalid; nothing was run
          4  the backend is not available
          130  stopped by Ctrl-C; the run is marked as aborted
        """;

    /// <summary>The scenario of the published figures.</summary>
    private const string Scenario = "signal-roundtrip-throughput-parallel";

    private static readonly TimeSpan DefaultDuration = FromSeconds(20);

    /// <summary>In memory a step would otherwise fill the memory: nothing is removed there.</summary>
    private const int MostInMemory = 1_000_000;

    private static readonly int[] Callers = [1, 16, 64];

    private readonly Option<string?> _backend;
    private readonly Option<string?> _duration;
    private readonly SessionOptions _session;

    public QuickCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        Command = new DocumentedCommand(
            "quick",
            "Measures round trips for about a minute and compares them with the published figures.",
            Examples
        );
        _backend = BackendOption.Declare(Command);
        _duration = Command.Text(
            "--duration",
            "TIME",
            $"The duration of each of the {Callers.Length} steps. Default {Quantity.Text(DefaultDuration)}; "
                + "steps below 10s are only a trial.",
            "-d"
        );
        _session = new(Command, "load.json");
        Command.SetAction(
            (parsed, cancellationToken) =>
            {
                var request = Read(parsed);
                var run = new QuickRun(request) { Command = CommandText.Of(parsed), Session = request.Session };
                return run.RunAsync(output, error, environment, cancellationToken);
            }
        );
    }

    public Command Command { get; }

    private LoadRequest Read(ParseResult parsed)
    {
        var typed = new TypedValues(parsed);
        var duration = typed.Duration(_duration) ?? DefaultDuration;
        if (duration <= TimeSpan.Zero)
            throw typed.Error($"{_duration.Name} is 0, so nothing would be measured; it must be longer than 0s");
        var backend = BackendOption.Read(parsed, _backend);
        return new()
        {
            Backend = backend,
            Profile = new()
            {
                Name = "quick",
                Description = "Round trips with rising numbers of callers, each of which waits for its own completion.",
                Workflow = Scenario,

                // A trial of a few milliseconds need not wait for seconds.
                WarmUp = duration < LoadProfile.ShortestWarmUp ? duration : LoadProfile.ShortestWarmUp,
                Steps =
                [
                    .. Callers.Select(callers => new LoadStep
                    {
                        Name = $"callers-{callers}",
                        Kind = LoadKind.Closed,
                        Duration = duration,
                        Operations = backend == BackendNames.InMemory ? MostInMemory : null,
                        MinUsers = callers,
                        MaxUsers = callers,
                    }),
                ],
            },
            Scenario = ScenarioCatalog.Find(Scenario),
            Session = _session.Read(parsed),
        };
    }
}

/// <summary>A load test with rising numbers of callers, which ends with a table for people who see the suite for the first time.</summary>
internal sealed class QuickRun(LoadRequest request) : LoadTestRun(request, [], one: null)
{
    protected override void Summarize(TextWriter console, LoadTestResult? result, RunResult run, RunFolder folder)
    {
        if (result is { Steps.Count: > 0 } && run.Status != RunStatus.Aborted)
            QuickSummary.Write(console, result, run, PublishedFigure.All(), folder);
        else
            LoadSummary.Write(console, result, run, folder);
    }
}

using Serdica.Perf.Analysis.Floors;

namespace Serdica.Perf.Cli.Floors;

/// <summary>Starts one PostgreSQL and measures raw SQL and the engine on it in turn.</summary>
/// <param name="folder">Keeps what was measured, after every measurement.</param>
/// <param name="progress">Takes a line for each measurement.</param>
internal sealed class FloorSession(
    FloorRequest request,
    DatabaseEnvironment environment,
    MeasuringProgram program,
    string pgBench,
    FloorFolder folder,
    ILogger logger,
    TimeProvider time,
    Action<string> progress
)
{
    /// <summary>For a first run that only shows the engine's speed: it is over within a second, most of which is its start.</summary>
    private const int FirstOperations = 2_000;

    private readonly long _startedAt = time.GetTimestamp();
    private int _runs;

    /// <exception cref="MeasuringException">The measurement cannot continue; what was measured stays in the folder.</exception>
    public async Task MeasureAsync(CancellationToken cancellationToken)
    {
        await using (
            var servers = await SharedServers.StartAsync(
                [BackendNames.PostgreSql],
                environment,
                request.Source,
                ExpectedLog.OfBlocks(request.Callers.Count, request.Blocks, request.Duration),
                logger,
                cancellationToken
            )
        )
        {
            var server = servers[BackendNames.PostgreSql];
            folder.Update(result => result with { Database = ServerMeasuredBackend.Describe(BackendNames.PostgreSql, server) });
            var floor = new PgBench(pgBench, server.ConnectionString, folder.WriteScript());
            var isMeasured = false;
            try
            {
                foreach (var callers in request.Callers)
                    await MeasureAsync(callers, floor, servers.Variables, cancellationToken);
                isMeasured = true;
            }
            finally
            {
                try
                {
                    await floor.DisposeAsync();
                }
                catch (MeasuringException left) when (!isMeasured)
                {
                    // Why the measurement ended is worth more than what it left.
                    progress(left.Message);
                }
            }
        }
    }

    private async Task MeasureAsync(
        int callers,
        PgBench floor,
        IReadOnlyDictionary<string, string> variables,
        CancellationToken cancellationToken
    )
    {
        // A first run shows how many operations the engine needs for the duration.
        var engine = await MeasureEngineAsync(callers, Math.Max(FirstOperations, callers * 16), variables, cancellationToken);
        var operations = Operations(request.Duration, engine.PerSecond);
        for (var block = 1; block <= request.Blocks; block++)
        {
            foreach (var side in FloorFigure.Order)
            {
                if (side == FloorSide.Engine)
                {
                    engine = await MeasureEngineAsync(callers, operations, variables, cancellationToken);
                    operations = Math.Max(operations, Operations(request.Duration, engine.PerSecond));
                    Add(callers, block, side, engine.PerSecond, engine.WalBytes, engine.Folder);
                }
                else
                {
                    var (perSecond, walBytes) = await floor.MeasureAsync(callers, request.Duration, cancellationToken);
                    Add(callers, block, side, perSecond, walBytes, runFolder: null);
                }
            }
        }
    }

    private void Add(int callers, int block, FloorSide side, double perSecond, double? walBytes, string? runFolder)
    {
        var load = EnvironmentReader.ReadLoadAverage(new());
        var figure = new FloorFigure(callers, block, side, perSecond, walBytes, time.GetUtcNow(), load, runFolder);
        folder.Update(result => result with { Figures = [.. result.Figures, figure] });
        progress($"{FloorMarkdown.Sentence(figure, request.Blocks)}, after {Figure.Duration(time.GetElapsedTime(_startedAt))}");
    }

    /// <summary>Enough for the engine to run for about the duration at this speed.</summary>
    internal static int Operations(TimeSpan duration, double perSecond) => Math.Max(1, (int)(perSecond * duration.TotalSeconds));

    /// <summary>A trial of a second need not wait for three; it is preceded by as many operations as it measures.</summary>
    internal static string[] WarmUp(TimeSpan duration, int operations) =>
        duration < LoadProfile.ShortestWarmUp ? ["--warmup", Invariant($"{operations}")] : [];

    private async Task<(double PerSecond, double? WalBytes, string Folder)> MeasureEngineAsync(
        int callers,
        int operations,
        IReadOnlyDictionary<string, string> variables,
        CancellationToken cancellationToken
    )
    {
        var output = MeasurementFolder.RunsOf(++_runs, "engine");
        var run = await program.MeasureAsync(
            [
                "run",
                "--backend",
                BackendNames.PostgreSql,
                "--scenario",
                "signal-roundtrip-throughput-parallel",
                "--load",
                "closed",
                "--workers",
                "2",
                "--no-overhead",
                "--concurrency",
                Invariant($"{callers}"),
                "--operations",
                Invariant($"{operations}"),
                .. WarmUp(request.Duration, operations),
            ],
            Path.Combine(folder.Path, output),
            variables,
            cancellationToken
        );
        folder.Update(result => result with { Environment = result.Environment ?? run.Environment });
        var scenario = run.Scenarios[0];
        return (
            scenario.ThroughputPerSecond!.Value,
            scenario.CostPerOperation.GetValueOrDefault(MetricNames.WalBytes)?.Value,
            Path.Combine(output, run.RunId).Replace('\\', '/')
        );
    }
}

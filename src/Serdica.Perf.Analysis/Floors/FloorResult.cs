namespace Serdica.Perf.Analysis.Floors;

/// <summary>Raw SQL and the engine, measured in turn on one server: the content of <c>floor.json</c>.</summary>
internal sealed record FloorResult
{
    /// <summary>Incremented when a reader of the old shape would misunderstand the new one.</summary>
    public int SchemaVersion { get; init; } = 1;

    /// <summary>Aborted until the last block is measured.</summary>
    public required RunStatus Status { get; init; }

    /// <summary>Null when the measurement passed.</summary>
    public string? StatusReason { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Null while the measurement runs, and for ever when its process died.</summary>
    public DateTimeOffset? FinishedAt { get; init; }

    /// <summary>The command that repeats the measurement.</summary>
    public required string Command { get; init; }

    /// <summary>How the ratio was calculated.</summary>
    public string Method { get; init; } =
        "The ratio of a block is the mean of the engine's two throughputs over the mean of the floor's two. "
        + "Log bytes are those of one round trip: the median of the measurements.";

    /// <summary>Null when there is no server.</summary>
    public DatabaseDescription? Database { get; init; }

    /// <summary>Machine, runtime and commit of the engine's first run; null before it ends.</summary>
    public EnvironmentFingerprint? Environment { get; init; }

    /// <summary>One entry for each number of callers with a complete block.</summary>
    public IReadOnlyList<FloorLevel> Levels => FloorLevel.Of(Figures);

    /// <summary>All measurements in order.</summary>
    public IReadOnlyList<FloorFigure> Figures { get; init; } = [];
}

/// <summary>One measurement of one side.</summary>
/// <param name="Callers">The number of callers of the engine. Raw SQL has one connection for each, up to a limit.</param>
/// <param name="Block">The number of the block, from 1.</param>
/// <param name="PerSecond">Round trips a second.</param>
/// <param name="WalBytes">Bytes of the server's log for one round trip; null where they are unknown.</param>
/// <param name="EndedAt">The end of the measurement, in UTC.</param>
/// <param name="LoadAverage">Runnable tasks of the machine over the last minute, at the end; null where it is unknown.</param>
/// <param name="Folder">The engine's run folder, relative to the folder of the measurement; null for raw SQL.</param>
internal sealed record FloorFigure(
    int Callers,
    int Block,
    FloorSide Side,
    double PerSecond,
    double? WalBytes,
    DateTimeOffset EndedAt,
    double? LoadAverage,
    string? Folder
)
{
    /// <summary>The order of measurements in one block. A linear drift cancels out of the ratio.</summary>
    public static IReadOnlyList<FloorSide> Order { get; } = [FloorSide.Floor, FloorSide.Engine, FloorSide.Engine, FloorSide.Floor];
}

/// <summary>The figures of one number of callers.</summary>
/// <param name="Floor">Round trips a second of raw SQL.</param>
/// <param name="Engine">Round trips a second of the engine.</param>
/// <param name="Ratio">Engine over floor, in the complete blocks.</param>
/// <param name="FloorWalBytes">Median of the log bytes of a round trip in raw SQL.</param>
/// <param name="EngineWalBytes">Median of the log bytes of a round trip of the engine; null where they are unknown.</param>
internal sealed record FloorLevel(int Callers, Spread Floor, Spread Engine, Spread Ratio, double? FloorWalBytes, double? EngineWalBytes)
{
    /// <summary>One entry for each number of callers with a complete block, in the order of measurement.</summary>
    public static IReadOnlyList<FloorLevel> Of(IEnumerable<FloorFigure> figures) =>
        [.. figures.GroupBy(figure => figure.Callers).Select(level => Of(level.Key, [.. level])).OfType<FloorLevel>()];

    private static FloorLevel? Of(int callers, FloorFigure[] figures)
    {
        Spread? Side(FloorSide side, Func<FloorFigure, double?> value) =>
            Spread.Of(figures.Where(figure => figure.Side == side).Select(value));
        var ratios = figures
            .GroupBy(figure => figure.Block)
            .Where(block => block.Count() == FloorFigure.Order.Count)
            .Select(block => (double?)(Mean(block, FloorSide.Engine) / Mean(block, FloorSide.Floor)));
        return Spread.Of(ratios) is { } ratio
            ? new(
                callers,
                Side(FloorSide.Floor, figure => figure.PerSecond)!,
                Side(FloorSide.Engine, figure => figure.PerSecond)!,
                ratio,
                Side(FloorSide.Floor, figure => figure.WalBytes)?.Median,
                Side(FloorSide.Engine, figure => figure.WalBytes)?.Median
            )
            : null;
    }

    private static double Mean(IEnumerable<FloorFigure> block, FloorSide side) =>
        block.Where(figure => figure.Side == side).Average(figure => figure.PerSecond);
}

/// <summary>The sides that are measured in turn.</summary>
internal enum FloorSide
{
    /// <summary>Raw SQL with the commits of a round trip.</summary>
    Floor,

    /// <summary>The engine with the same round trip.</summary>
    Engine,
}

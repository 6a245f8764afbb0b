namespace Serdica.Perf.Cli.Floors;

/// <summary>The options of `floor`, and how they become a <see cref="FloorRequest"/>.</summary>
internal sealed class FloorOptionSet(Command command)
{
    private const int DefaultBlocks = 3;
    private const int MaxBlocks = 100;
    private const int MaxCallers = 1_024;
    private static readonly int[] DefaultCallers = [1, 16, 64, 256];
    private static readonly TimeSpan DefaultDuration = FromSeconds(5);
    private static readonly TimeSpan LongestDuration = FromMinutes(10);

    // Not an array: without the option its value would be an empty one, and nothing would be measured.
    private readonly Option<IReadOnlyList<int>?> _callers = command.Declare(
        OptionDeclarations.Read<IReadOnlyList<int>?>(
            "--callers",
            "N[,N...]",
            $"Numbers of callers, comma-separated. Raw SQL has a connection for each, {PgBench.MostConnections} at most. "
                + $"Default {string.Join(',', DefaultCallers)}.",
            ParseCallers,
            text =>
                Invariant(
                    $"--callers is '{text}'; it must be comma-separated whole numbers from 1 to {MaxCallers:N0}, each given once."
                )
        )
    );

    private readonly Option<int?> _blocks = command.Number(
        "--blocks",
        $"Blocks of four measurements for each number of callers: floor, engine, engine, floor. Default {DefaultBlocks}.",
        1,
        MaxBlocks
    );
    private readonly Option<TimeSpan?> _duration = command.Declare(
        DurationText.Option(
            "--duration",
            "The duration of each measurement, from 1s to 10m. The engine measures for about this time. Below 3s the engine also warms "
                + "up for about this time only. Default 5s."
        )
    );
    private readonly Option<DatabaseSourceKind?> _source = SessionOptions.Source(command);
    private readonly Option<string?> _folder = SessionOptions.Output(
        command,
        $"Where the folder with {FloorFolder.ReportFile}, {FloorFolder.ResultFile} and the runs is written."
    );
    private readonly Option<bool> _json = SessionOptions.Json(command, FloorFolder.ResultFile);

    /// <exception cref="UsageException">The duration is too long.</exception>
    public FloorRequest Read(ParseResult parsed)
    {
        var duration = parsed.GetValue(_duration) ?? DefaultDuration;
        if (duration > LongestDuration)
            throw new UsageException("--duration is the time of one measurement, 10m at most; measure more --blocks for more certainty.");
        return new()
        {
            Callers = parsed.GetValue(_callers) ?? DefaultCallers,
            Blocks = parsed.GetValue(_blocks) ?? DefaultBlocks,
            Duration = duration,
            Source = parsed.GetValue(_source),
            Output = parsed.GetValue(_folder) ?? RunFolder.DefaultRoot,
            Json = parsed.GetValue(_json),
        };
    }

    private static int[]? ParseCallers(string text)
    {
        var callers = text.Split(',')
            .Select(part => int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0)
            .ToArray();
        return callers.Any(number => number is < 1 or > MaxCallers) || callers.Distinct().Count() < callers.Length ? null : callers;
    }
}

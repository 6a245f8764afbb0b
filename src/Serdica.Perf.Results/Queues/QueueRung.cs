namespace Serdica.Perf.Results.Queues;

/// <summary>One level of a ladder: the result with one number of writers.</summary>
public sealed record QueueRung
{
    public required int Writers { get; init; }

    public required StepVerdict Verdict { get; init; }

    public required double WrittenPerSecond { get; init; }

    public required double ReadPerSecond { get; init; }

    public required LatencySummary EndToEnd { get; init; }

    /// <summary>
    /// Processor time of generator, engine and database for each written message, in microseconds; null where the system does not
    /// report it.
    /// </summary>
    public double? ProcessorUs { get; init; }

    /// <inheritdoc cref="QueueTestResult.ShownWrittenPerSecond"/>
    internal double? ShownWrittenPerSecond => ScenarioResult.Shown(WrittenPerSecond, EndToEnd.Count);

    /// <inheritdoc cref="QueueTestResult.ShownWrittenPerSecond"/>
    internal double? ShownReadPerSecond => ScenarioResult.Shown(ReadPerSecond, EndToEnd.Count);

    /// <summary>The level that wrote the most, with all levels beside it, the worst verdict, and the reasons of each.</summary>
    /// <param name="tests">
    /// Tests in order of rising writers; one is enough, because the user may stop a ladder after its first level.
    /// </param>
    public static QueueTestResult Together(IReadOnlyList<QueueTestResult> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        return tests.Count == 1
            ? tests[0]
            : tests.MaxBy(test => test.WrittenPerSecond)!.For(tests, test => $"{test.Plan.Writers} writers") with
            {
                Ladder = [.. tests.Select(Of)],
            };
    }

    /// <summary>States where more writers stopped paying off, and what they cost beyond that.</summary>
    /// <param name="levels">At least two levels, in order of rising writers.</param>
    public static string Sentence(IReadOnlyList<QueueRung> levels)
    {
        ArgumentNullException.ThrowIfNull(levels);
        for (var index = 1; index < levels.Count; index++)
        {
            var (last, next) = (levels[index - 1], levels[index]);
            if (next.WrittenPerSecond >= last.WrittenPerSecond * (1 + CapacityLadder.LeastGrowth))
                continue;

            // Where more writers wrote more after all, nothing stopped.
            var most = levels.Skip(index).MaxBy(level => level.WrittenPerSecond)!;
            if (most.WrittenPerSecond >= last.WrittenPerSecond * (1 + CapacityLadder.LeastGrowth))
                return Invariant($"From {last.Writers} to {next.Writers} writers throughput did not grow ({last.WrittenPerSecond:N0}/s, ")
                    + Invariant($"{next.WrittenPerSecond:N0}/s); the most was {most.WrittenPerSecond:N0}/s with {most.Writers} writers.");

            var cost =
                next.ProcessorUs is { } after && last.ProcessorUs is { } before
                    ? Invariant($" and took {after:0} us of processor time a message where it had been {before:0}")
                    : "";
            return Invariant($"Throughput stopped growing at {Figure.Number(last.Writers, "writer")}, {last.WrittenPerSecond:N0}/s: ")
                + Invariant($"{next.Writers} wrote {next.WrittenPerSecond:N0}/s{cost}.");
        }

        return Invariant($"Throughput still grew at {Figure.Number(levels[^1].Writers, "writer")}, the most that were tried.");
    }

    private static QueueRung Of(QueueTestResult test) =>
        new()
        {
            Writers = test.Plan.Writers,
            Verdict = test.Verdict,
            WrittenPerSecond = test.WrittenPerSecond,
            ReadPerSecond = test.ReadPerSecond,
            EndToEnd = test.EndToEnd,
            ProcessorUs =
                test.Written == 0
                    ? null
                    : test.Resources.FirstOrDefault(component => component.Component == ResourceFigures.Total)?.Cpu?.Average
                        / test.WrittenPerSecond
                        * 1e6,
        };
}

namespace Serdica.Perf.Results.Queues;

/// <summary>One of the repeats of a queue test.</summary>
public sealed record QueueRepeat
{
    /// <summary>The number of the repeat, from 1.</summary>
    public required int Number { get; init; }

    public required StepVerdict Verdict { get; init; }

    public required double WrittenPerSecond { get; init; }

    public required double ReadPerSecond { get; init; }

    public required LatencySummary Write { get; init; }

    public required LatencySummary EndToEnd { get; init; }

    /// <inheritdoc cref="QueueTestResult.ShownWrittenPerSecond"/>
    internal double? ShownWrittenPerSecond => ScenarioResult.Shown(WrittenPerSecond, Write.Count);

    /// <inheritdoc cref="QueueTestResult.ShownWrittenPerSecond"/>
    internal double? ShownReadPerSecond => ScenarioResult.Shown(ReadPerSecond, EndToEnd.Count);

    /// <summary>
    /// The repeat with the median end-to-end p99 (for an even number, the slower of the two in the middle), with all repeats beside
    /// it, the worst verdict, and the reasons of each.
    /// </summary>
    /// <param name="tests">At least one test, in order.</param>
    public static QueueTestResult Together(IReadOnlyList<QueueTestResult> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        var typical = StepRepeats.Slower(tests, test => test.EndToEnd);
        return tests.Count == 1
            ? typical
            : typical.For(tests, test => $"Repeat {test.Repeat}") with
            {
                Repeats =
                [
                    .. tests.Select(test => new QueueRepeat
                    {
                        Number = test.Repeat,
                        Verdict = test.Verdict,
                        WrittenPerSecond = test.WrittenPerSecond,
                        ReadPerSecond = test.ReadPerSecond,
                        Write = test.Write,
                        EndToEnd = test.EndToEnd,
                    }),
                ],
            };
    }
}

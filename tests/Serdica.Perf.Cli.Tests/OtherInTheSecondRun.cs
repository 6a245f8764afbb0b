namespace Serdica.Perf.Cli.Tests;

/// <summary>
/// Scenarios that the command line finds in this assembly, which it loads anew for each command. With three operations and no
/// warm-up, the fourth operation is the first of a second run.
/// </summary>
public static class OtherInTheSecondRun
{
    public const int Operations = 3;

    /// <summary>Far longer than an operation in memory takes, on a machine that is busy too.</summary>
    private static readonly TimeSpan Slow = FromSeconds(7);

    private static int _wrong;
    private static int _slow;

    /// <summary>Passes in the first run; in the second its instances are not as expected.</summary>
    public static Scenario Wrong { get; } =
        Of(
            "wrong-in-the-second-run",
            () => Interlocked.Increment(ref _wrong),
            _ => TimeSpan.Zero,
            _ => Volatile.Read(ref _wrong) <= Operations
        );

    /// <summary>Slow in the first run alone.</summary>
    public static Scenario Quick { get; } =
        Of(
            "quick-in-the-second-run",
            () => Interlocked.Increment(ref _slow),
            number => number <= Operations ? Slow : TimeSpan.Zero,
            _ => true
        );

    /// <summary>Passes with three operations. The instances of further ones are not as expected.</summary>
    public static Scenario WrongBeyondThree { get; } =
        Of("wrong-beyond-three", () => 0, _ => TimeSpan.Zero, operation => operation <= Operations);

    /// <summary>Its workflow prints the beginning of a line.</summary>
    public static Scenario Printing { get; } = Of("printing", () => 0, _ => TimeSpan.Zero, _ => true, () => Console.Write("Visited, "));

    private static Scenario Of(string name, Func<int> count, Func<int, TimeSpan> delay, Func<int, bool> isExpected, Action? visit = null) =>
        new WorkflowScenario<Visit>
        {
            Name = name,
            Description = "Differs from one run to the next.",
            Definition = Workflow.Define<Visit>("visit").WaitFor<int>("arrived", (state, minute) => Arrive(state, minute, visit)).Build(),
            Start = _ => new Visit(),
            Signal = async (client, id, operation, cancellationToken) =>
            {
                await Task.Delay(delay(count()), cancellationToken);
                return await client.SignalAsync(id, "arrived", operation, cancellationToken: cancellationToken);
            },
            IsExpected = (visit, operation) => visit.Minute == operation && isExpected(operation),
            Operations = Operations,
            Concurrency = Operations,
        }.ToScenario();

    private static void Arrive(Visit state, int minute, Action? visit)
    {
        visit?.Invoke();
        state.Minute = minute;
    }

    public sealed class Visit
    {
        public int Minute { get; set; }
    }
}

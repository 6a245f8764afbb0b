namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// Processes a backlog that was prepared while no worker ran. The intended start of each operation is the start of the workers,
/// so response times are those of the burn-down.
/// </summary>
internal sealed class BacklogLoad(
    OperationSet operations,
    IReadOnlyList<Task> completions,
    Func<CancellationToken, Task> startWorkers,
    LoadRecorder recorder
) : LoadDriver(operations, recorder)
{
    public override int Offered => completions.Count;

    /// <summary>Makes the calls of all operations.</summary>
    /// <returns>Their completions, when the whole backlog is durable.</returns>
    public static async Task<IReadOnlyList<Task>> PrepareAsync(OperationSet operations, int callers, CancellationToken cancellationToken)
    {
        var completions = new Task[operations.Count];
        await Parallel
            .ForAsync(
                0,
                operations.Count,
                new ParallelOptions { MaxDegreeOfParallelism = callers, CancellationToken = cancellationToken },
                async (operation, token) => completions[operation] = await operations.LaunchAsync(operation, token)
            );
        return completions;
    }

    public override async Task RunAsync(CancellationToken cancellationToken)
    {
        var begin = Recorder.Clock.GetTimestamp();
        foreach (var completion in completions)
        {
            var operation = Recorder.Start(begin, begin, begin);
            _ = FollowAsync(completion, operation, begin, begin);
        }

        await startWorkers(cancellationToken);
    }
}

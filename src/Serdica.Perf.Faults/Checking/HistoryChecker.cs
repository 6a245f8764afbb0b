using Serdica.Perf.Results.Folders;

namespace Serdica.Perf.Faults.Checking;

/// <summary>
/// Judges a run by its history and the final state in it, and by nothing else. Memory does not grow with the number of operations:
/// the lines are distributed by instance over files, which are judged one after the other.
/// </summary>
internal static class HistoryChecker
{
    /// <summary>A partition is read whole; as objects its lines take a few times as much memory.</summary>
    private const long PartitionBytes = 32 << 20;

    private const int MostPartitions = 512;

    /// <summary>Checks the history in a folder.</summary>
    /// <param name="folder">The files of all processes, and that of the census. The check needs as much room again while it runs.</param>
    /// <exception cref="DirectoryNotFoundException">There is no such folder.</exception>
    /// <exception cref="InvalidDataException">It has no history, or a damaged one; the message names file and line.</exception>
    public static CheckReport Check(string folder, CancellationToken cancellationToken = default)
    {
        var files = HistoryFolder.Files(folder);
        var bytes = files.Sum(file => new FileInfo(file).Length);

        // A kept history is small enough for the temporary folder, and reading leaves the folders of baselines as they are.
        var place = Baselines.Contain(folder) ? Path.GetTempPath() : folder;
        using var partitions = new Partitions(place, (int)Math.Clamp(bytes * 2 / PartitionBytes, 1, MostPartitions));
        var run = new RunFacts();
        foreach (var file in files)
        {
            Distribute(file, partitions, run);
            cancellationToken.ThrowIfCancellationRequested();
        }

        Invariant[] invariants = All();
        for (var i = 0; i < partitions.Count; i++)
        {
            foreach (var (group, lines) in partitions.Read(i))
                Judge(group, lines, invariants, run);
            cancellationToken.ThrowIfCancellationRequested();
        }

        foreach (var invariant in invariants)
            invariant.Conclude(run);
        return new CheckReport(
            run.Lines,
            run.Operations,
            run.WithoutAnswer,
            run.UnknownOutcomes,
            run.Torn,
            run.Census is not null,
            [.. invariants.Select(invariant => invariant.Finding)],
            run.Limits.Required
        );
    }

    private static Invariant[] All() =>
        [
            new ExactlyOnceEffect(),
            new NoLostSignal(),
            new NoPhantom(),
            new Conservation(),
            new NoStuckInstance(),
            new VersionChain(),
            new Fencing(),
            new SingleOwner(),
            new DurableAck(),
            new IdempotentStart(),
            new Timers(),
            new SignalOrder(),
            new NoDirtyEffect(),
            new PoisonContainment(),
            new ReturnToBaseline(),
            new NonVacuity(),
        ];

    private static void Distribute(string file, Partitions partitions, RunFacts run)
    {
        using var reader = new HistoryReader(file);
        var router = new LineRouter((id, line) => partitions.Add($"i{id}", line), (key, line) => partitions.Add($"s{key}", line));
        while (reader.Read() is { } line)
        {
            run.See(line);
            router.Route(line);
        }

        run.WithoutAnswer += router.WithoutAnswer;
        if (reader.IsTorn)
            run.Torn.Add(reader.Process);
    }

    private static void Judge(string group, List<HistoryLine> lines, Invariant[] invariants, RunFacts run)
    {
        if (group[0] == 'i')
        {
            var instance = new InstanceHistory(Guid.ParseExact(group.AsSpan(1), "N"), lines);
            foreach (var invariant in invariants)
                invariant.Judge(instance, run);
        }
        else
        {
            var start = new StartHistory(group[1..], lines);
            foreach (var invariant in invariants)
                invariant.Judge(start, run);
        }
    }
}

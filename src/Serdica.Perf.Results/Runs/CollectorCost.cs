namespace Serdica.Perf.Results.Runs;

/// <summary>What it cost to watch the measured window, and how well it went.</summary>
public sealed record CollectorCost
{
    /// <summary>Lines written in <c>samples.ndjson</c>.</summary>
    public required int Samples { get; init; }

    /// <summary>Samples left out because the one before them had not returned.</summary>
    public int Skipped { get; init; }

    /// <summary>Samples that could not be taken.</summary>
    public int Failed { get; init; }

    /// <summary>Why the first of those failed.</summary>
    public string? Error { get; init; }

    /// <summary>
    /// Time that all looks took together within the window, waiting for the server and for a processor included: on a busy
    /// machine most of it is waiting.
    /// </summary>
    public required double TimeMs { get; init; }

    /// <summary>
    /// Processor time of what the collectors have for themselves: the thread that samples waits, and the server's processes of
    /// their sessions when the suite started the server. Null where the system does not tell.
    /// </summary>
    public double? CpuMs { get; init; }

    /// <summary><see cref="CpuMs"/> over the processor time that the machine had in window and drain.</summary>
    public double? ShareOfProcessors { get; init; }

    /// <summary><see cref="TimeMs"/> over the length of window and drain: 0.02 means that one look or another was under way for 2 % of the time.</summary>
    public required double ShareOfWindow { get; init; }
}

namespace Serdica.Perf.Results.Runs;

/// <summary>What it cost to observe the measured window, and how reliable the observation was.</summary>
public sealed record CollectorCost
{
    /// <summary>Lines written to <c>samples.ndjson</c>.</summary>
    public required int Samples { get; init; }

    /// <summary>Samples that were skipped because the previous one had not finished.</summary>
    public int Skipped { get; init; }

    /// <summary>Samples that could not be taken.</summary>
    public int Failed { get; init; }

    /// <summary>Why the first of the failed samples failed; null when none failed.</summary>
    public string? Error { get; init; }

    /// <summary>
    /// Milliseconds that all polls took together within the window, including waits for the server and for a processor; on a busy
    /// machine most of it is waiting.
    /// </summary>
    public required double TimeMs { get; init; }

    /// <summary>
    /// Processor time of the collectors' own resources in milliseconds: the thread that samples wait events, and the server processes of
    /// their sessions when the suite started the server. Null where the system does not report it.
    /// </summary>
    public double? CpuMs { get; init; }

    /// <summary><see cref="CpuMs"/> over the processor time that the machine had in window and drain, 0 to 1.</summary>
    public double? ShareOfProcessors { get; init; }

    /// <summary>
    /// <see cref="TimeMs"/> over the length of window and drain: 0.02 means that some poll was in progress during 2 % of the time.
    /// </summary>
    public required double ShareOfWindow { get; init; }
}

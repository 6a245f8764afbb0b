namespace Serdica.Perf.Results.Runs;

/// <summary>What one process used during a measured window and the drain after it.</summary>
public record ProcessFigures
{
    public required int ProcessId { get; init; }

    /// <summary>Processor time in milliseconds.</summary>
    public required double CpuMs { get; init; }

    /// <summary>Memory at the end.</summary>
    public required long WorkingSetBytes { get; init; }

    /// <summary>The highest memory since the start of the process.</summary>
    public required long PeakWorkingSetBytes { get; init; }

    /// <summary>Open TCP connections at the end; null where the system does not report them.</summary>
    public int? Connections { get; init; }
}

/// <summary>What one of several host processes used and did during a measured window and the drain after it.</summary>
public sealed record HostFigures : ProcessFigures
{
    /// <summary>The number of the host, from 1.</summary>
    public required int Number { get; init; }

    /// <summary>Its clock and the database's; null when it has claimed nothing, or was measured before this was recorded.</summary>
    public HostClock? Clock { get; init; }

    /// <summary>Signals and activities that it handled, its claims, and its conflicts with other hosts.</summary>
    public required EngineCounters Counters { get; init; }
}

/// <summary>How far the clock of a host was from the database's, as the claims of about a minute bound it.</summary>
public sealed record HostClock
{
    /// <summary>Milliseconds by which it was ahead; negative when it was behind.</summary>
    public required double AheadMs { get; init; }

    /// <summary>The true difference is at most this many milliseconds more or less.</summary>
    public required double UncertaintyMs { get; init; }

    /// <summary>For instance <c>+0.31 ± 0.20</c>.</summary>
    internal string Text => $"{(AheadMs < 0 ? "" : "+")}{Figure.Of(AheadMs)} ± {Figure.Of(UncertaintyMs)}";
}

/// <summary>The processes of a measurement whose workflows ran in processes of their own.</summary>
public sealed record HostedProcesses
{
    /// <summary>The process that drove the load and verified what was left.</summary>
    public required ProcessFigures Generator { get; init; }

    /// <summary>The processes that ran the workflows, by number.</summary>
    public required IReadOnlyList<HostFigures> Hosts { get; init; }

    /// <summary>A sentence for each host whose database calls failed: its warnings are in its own process.</summary>
    internal IEnumerable<string> Troubles =>
        Hosts
            .Where(host => host.Counters.BackendFailures > 0)
            .Select(host =>
                Invariant($"{host.Counters.BackendFailures:N0} database calls of host {host.Number} failed; ")
                + Invariant($"hosts/{host.Number}.log has its warnings.")
            );
}

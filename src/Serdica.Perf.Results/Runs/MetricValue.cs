namespace Serdica.Perf.Results.Runs;

/// <summary>A figure that a database may not provide. Without a value there is a reason.</summary>
public sealed record MetricValue
{
    public double? Value { get; init; }

    /// <summary>The unit, for instance <c>bytes</c> or <c>us</c>; null for a plain count.</summary>
    public string? Unit { get; init; }

    /// <summary>Why there is no value; null when there is one.</summary>
    public string? Reason { get; init; }

    public static MetricValue Of(double value, string? unit = null) => new() { Value = value, Unit = unit };

    public static MetricValue Missing(string reason) => new() { Reason = reason };
}

/// <summary>Time that the engine's own database sessions spent waiting for one cause.</summary>
/// <param name="Class">The server's category of the wait, for instance <c>IO</c> or <c>Lock</c>; <c>CPU</c> for running sessions.</param>
/// <param name="Name">The server's name of the wait, for instance <c>WALSync</c> or <c>log file sync</c>.</param>
/// <param name="Microseconds">The sum over all sessions in microseconds; with sampling, the time that the samples represent.</param>
/// <param name="Count">The number of samples, or of waits where the server counts them.</param>
public sealed record ServerWait(string Class, string Name, double Microseconds, long Count);

/// <summary>What one kind of statement cost the server.</summary>
/// <param name="Text">The statement as the server normalises it, without values, and shortened.</param>
/// <param name="Calls">The number of executions.</param>
/// <param name="Milliseconds">Time in the server over all calls, in milliseconds.</param>
/// <param name="Rows">Rows returned or changed; <see langword="null"/> where the server does not report it.</param>
/// <param name="LogBytes">Bytes that it wrote to the log; <see langword="null"/> where the server does not report it.</param>
public sealed record ServerStatement(string Text, long Calls, double Milliseconds, long? Rows, double? LogBytes)
{
    /// <summary>Processor time of it, in milliseconds; <see langword="null"/> where the server does not report it.</summary>
    public double? CpuMilliseconds { get; init; }

    /// <summary>Pages that it requested, wherever they were found; <see langword="null"/> where the server does not report it.</summary>
    public double? LogicalReads { get; init; }
}

namespace Serdica.Perf.Results.Runs;

/// <summary>A figure that a database may or may not have. Without a value there is a reason.</summary>
public sealed record MetricValue
{
    public double? Value { get; init; }

    /// <summary>For instance <c>bytes</c>, <c>us</c>; null for a plain count.</summary>
    public string? Unit { get; init; }

    /// <summary>Why there is no value; null when there is one.</summary>
    public string? Reason { get; init; }

    public static MetricValue Of(double value, string? unit = null) => new() { Value = value, Unit = unit };

    public static MetricValue Missing(string reason) => new() { Reason = reason };
}

/// <summary>Time that the engine's own database sessions spent waiting for one thing.</summary>
/// <param name="Class">The server's group of waits, for instance <c>IO</c> or <c>Lock</c>; <c>CPU</c> for sessions that ran.</param>
/// <param name="Name">The server's name of the wait, for instance <c>WALSync</c> or <c>log file sync</c>.</param>
/// <param name="Microseconds">The sum over all sessions; of samples it is the time that the samples stand for.</param>
/// <param name="Count">Samples, or waits where the server counts them.</param>
public sealed record ServerWait(string Class, string Name, double Microseconds, long Count);

/// <summary>What one kind of statement cost the server.</summary>
/// <param name="Text">Normalised by the server, without values, shortened.</param>
/// <param name="Calls">How often it ran.</param>
/// <param name="Milliseconds">Time in the server over all calls.</param>
/// <param name="Rows">Rows returned or changed; <see langword="null"/> where the server does not report it.</param>
/// <param name="LogBytes">Written to the log by it; <see langword="null"/> where the server does not report it.</param>
public sealed record ServerStatement(string Text, long Calls, double Milliseconds, long? Rows, double? LogBytes);

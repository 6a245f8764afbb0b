namespace Serdica.Perf.Measurement.Environments;

/// <summary>How the suite itself ran.</summary>
public sealed record RuntimeDescription
{
    /// <summary>For instance <c>10.0.1</c>.</summary>
    public required string DotNetVersion { get; init; }

    public required bool ServerGc { get; init; }

    public required bool ConcurrentGc { get; init; }

    /// <summary>Processors that this process may use.</summary>
    public required int AvailableProcessors { get; init; }

    /// <summary><c>Release</c> or <c>Debug</c>: of the program that was started; null when it can't be told.</summary>
    public string? EntryConfiguration { get; init; }

    /// <summary>The same for the measuring library.</summary>
    public string? SuiteConfiguration { get; init; }

    public required bool DebuggerAttached { get; init; }
}

namespace Serdica.Perf.Results.Runs;

/// <summary>The numbers that two results must share before they may be compared.</summary>
public sealed record ScenarioParameters
{
    /// <summary>0 when the scenario lasts for a time: see <see cref="DurationSeconds"/>.</summary>
    public required int Operations { get; init; }

    /// <summary>How long operations are begun; null when their number decides.</summary>
    public double? DurationSeconds { get; init; }

    /// <summary>Callers.</summary>
    public required int Concurrency { get; init; }

    /// <summary>Signal workers.</summary>
    public required int Workers { get; init; }

    public required LoadModel Load { get; init; }

    public int PayloadBytes { get; init; }

    /// <summary>
    /// How long each operation's last step sleeps on purpose (<c>--step-delay</c>), so that one sees whether a slow-down is
    /// found; null when it does not. It stands for a change of the code, so runs that differ in it are compared.
    /// </summary>
    public double? StepDelayMs { get; init; }

    /// <summary>Which of the repeats of <c>--repeat N</c> this is, from 1.</summary>
    public int Repeat { get; init; } = 1;

    /// <summary>Settings of the engine that were asked for, by the names of <c>--engine</c>; the others are as the engine has them.</summary>
    public IReadOnlyDictionary<string, string> Engine { get; init; } = new Dictionary<string, string>();

    /// <summary>What only this scenario has, for instance the delay of a burst.</summary>
    public IReadOnlyDictionary<string, string> Options { get; init; } = new Dictionary<string, string>();
}

/// <summary>What a caller does between two operations.</summary>
public enum LoadModel
{
    /// <summary>One operation at a time, the next after the completion of the last.</summary>
    Serial,

    /// <summary>Callers start operations without waiting for completions; the scenario ends when all are complete.</summary>
    Wave,

    /// <summary>Each caller waits for the completion of its operation before it starts the next.</summary>
    Closed,

    /// <summary>
    /// Operations arrive at a constant rate, whether those before them have completed or not; the response time counts from
    /// the intended start.
    /// </summary>
    Open,
}

/// <summary>What ran before the measured window and is in none of its figures.</summary>
public sealed record WarmUp(long Operations, double DurationMs);

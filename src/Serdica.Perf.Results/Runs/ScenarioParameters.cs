namespace Serdica.Perf.Results.Runs;

/// <summary>The numbers that two results must share before they are compared.</summary>
public sealed record ScenarioParameters
{
    /// <summary>The number of operations; 0 when the scenario lasts for a fixed time, see <see cref="DurationSeconds"/>.</summary>
    public required int Operations { get; init; }

    /// <summary>How long operations are started; null when their number decides.</summary>
    public double? DurationSeconds { get; init; }

    /// <summary>The number of callers.</summary>
    public required int Concurrency { get; init; }

    /// <summary>The number of signal workers of each host.</summary>
    public required int Workers { get; init; }

    public required LoadModel Load { get; init; }

    public int PayloadBytes { get; init; }

    /// <summary>
    /// How long the last step of each operation sleeps on purpose (<c>--step-delay</c>), to check that a slow-down is detected;
    /// null when it does not. It stands for a change of the code, so runs that differ in it are compared.
    /// </summary>
    public double? StepDelayMs { get; init; }

    /// <summary>The number of the repeat, from 1 to N of <c>--repeat N</c>.</summary>
    public int Repeat { get; init; } = 1;

    /// <summary>
    /// The setting of the engine that says whether signals were decided directly, <c>on</c> or <c>off</c>. Results of backends
    /// that can do so always have it.
    /// </summary>
    public const string DirectSetting = "direct";

    /// <summary>
    /// <c>on</c> where each start, signal and message had a transaction of its own. Results of backends that are made so always have
    /// it; nobody can set it.
    /// </summary>
    public const string OneByOneSetting = "one-by-one";

    /// <summary>
    /// The option that says how many processes hosted the workflows. Results whose workflows the measuring process hosted itself lack it.
    /// </summary>
    public const string HostsOption = "hosts";

    /// <summary>The option that says how long the warm-up was; results whose warm-up nobody has set lack it.</summary>
    public const string WarmUpOption = "warmup";

    /// <summary>
    /// The option that says that the operations of a scenario were measured a single time, where they usually are until the window has
    /// lasted about two seconds.
    /// </summary>
    public const string OnceOption = "once";

    /// <summary>
    /// Settings of the engine that were set, by the names of <c>--engine</c>, with <see cref="DirectSetting"/> and
    /// <see cref="OneByOneSetting"/>; the others have their defaults.
    /// </summary>
    public IReadOnlyDictionary<string, string> Engine { get; init; } = new Dictionary<string, string>();

    /// <summary>Parameters that only this scenario has, for instance the delay of a burst.</summary>
    public IReadOnlyDictionary<string, string> Options { get; init; } = new Dictionary<string, string>();

    /// <summary>The number of processes that hosted the workflows; 0 when the measuring process did.</summary>
    internal int Hosts =>
        int.TryParse(Options.GetValueOrDefault(HostsOption), NumberStyles.None, CultureInfo.InvariantCulture, out var hosts) ? hosts : 0;
}

/// <summary>What a caller does between two operations.</summary>
public enum LoadModel
{
    /// <summary>One operation at a time; the next starts after the completion of the last.</summary>
    Serial,

    /// <summary>Callers start operations without waiting for completions; the scenario ends when all are complete.</summary>
    Wave,

    /// <summary>Each caller waits for the completion of its operation before it starts the next.</summary>
    Closed,

    /// <summary>
    /// Operations arrive on a schedule, whether earlier ones have completed or not; the response time counts from the intended
    /// start.
    /// </summary>
    Open,
}

/// <summary>What ran before the measured window; no figure includes it.</summary>
/// <param name="Operations">Its completed operations.</param>
/// <param name="DurationMs">Its length with the drains in it, in milliseconds.</param>
/// <param name="End">Why it ended; null in a result of a version that did not record it.</param>
public sealed record WarmUp(long Operations, double DurationMs, WarmUpEnd? End = null);

/// <summary>Why a warm-up ended.</summary>
public enum WarmUpEnd
{
    /// <summary>The throughput no longer rose.</summary>
    Steady,

    /// <summary>Its longest time had passed, and the throughput still rose or too few operations had completed.</summary>
    TimeLimit,

    /// <summary>As many operations had completed as an option sets, as a smoke test has, or as any warm-up may have.</summary>
    OperationCount,

    /// <summary>No operation completed.</summary>
    NothingCompleted,
}

namespace Serdica.Perf.Results.Profiles;

/// <summary>A load test: what is done, in which steps, and what it must keep. All steps of a repeat run on one fresh store unless said otherwise.</summary>
public sealed record LoadProfile
{
    /// <summary>The workflow whose operations <see cref="Work"/> shapes.</summary>
    public const string ShapedWorkflow = "signal-roundtrip";

    /// <summary>What compiled code, pools and caches take to be warm is not shortened with a test.</summary>
    public static readonly TimeSpan ShortestWarmUp = TimeSpan.FromSeconds(2);

    /// <value>Lower case with hyphens; a part of file names.</value>
    public required string Name { get; init; }

    public string Description { get; init; } = "";

    /// <value><see cref="ShapedWorkflow"/>, or the name of a scenario, the suite's or one's own.</value>
    public string Workflow { get; init; } = ShapedWorkflow;

    public WorkShape Work { get; init; } = new();

    public required IReadOnlyList<LoadStep> Steps { get; init; }

    /// <value>Signal workers; default 2.</value>
    public int Workers { get; init; } = 2;

    /// <value>Settings of the engine by name, for instance <c>claim-batch</c>; default none.</value>
    public IReadOnlyDictionary<string, string> Engine { get; init; } = new Dictionary<string, string>();

    /// <value>Activities that run side by side, the slots of a worker; default as many as there are.</value>
    public int? Slots { get; init; }

    /// <value>A closed load before the first step, in no figure; default 2 s. Not possible when workers start late.</value>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(2);

    /// <value>Pause between two steps; default none.</value>
    public TimeSpan Cooldown { get; init; }

    /// <value>How long a step waits after its last start for what is still running; default 30 s.</value>
    public TimeSpan DrainLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <value>How long after the begin of the first step the workers start, so that a backlog forms; default none.</value>
    public TimeSpan WorkerDelay { get; init; }

    /// <value>Whether a step waits, up to <see cref="DrainLimit"/> once more, until nothing is left of the one before.</value>
    public bool WaitForClean { get; init; }

    /// <value>Whether each step has a store of its own, so that none can disturb the next.</value>
    public bool FreshSteps { get; init; }

    /// <value>Of the random arrivals; default 1.</value>
    public int Seed { get; init; } = 1;

    public StepObjectives Objectives { get; init; } = new();

    /// <summary>The same test in less time: durations, pauses, backlogs and numbers of operations times a factor, rates as they are, and a warm-up of <see cref="ShortestWarmUp"/> or more no shorter than that.</summary>
    /// <param name="factor">Above 0 and up to 1. A step keeps a second at least.</param>
    public LoadProfile Scaled(double factor) => factor == 1
        ? this
        : this with
        {
            WarmUp = WarmUp < ShortestWarmUp ? WarmUp : WarmUp * factor > ShortestWarmUp ? WarmUp * factor : ShortestWarmUp,
            Cooldown = Cooldown * factor,
            WorkerDelay = WorkerDelay * factor,
            Steps =
            [
                .. Steps.Select(step => step with
                {
                    Duration = TimeSpan.FromSeconds(Math.Max(1, step.Duration.TotalSeconds * factor)),
                    Operations = step.Operations is { } operations ? AtLeastOne(operations * factor) : null,
                    Backlog = step.Backlog == 0 ? 0 : AtLeastOne(step.Backlog * factor),
                }),
            ],
        };

    /// <summary>The same test several times over: all steps in their order, then all again on a fresh store.</summary>
    /// <param name="times">1 changes nothing.</param>
    public LoadProfile Repeated(int times) => times == 1
        ? this
        : this with { Steps = [.. Enumerable.Range(1, times).SelectMany(number => Steps.Select(step => step with { Repeat = number }))] };

    /// <summary>
    /// The share of one of several generators: rates are divided, and slots, users, backlogs and numbers of operations split
    /// so that those of all generators are the whole, one at least for each. Workers are each generator's own.
    /// </summary>
    /// <param name="generator">From 1.</param>
    /// <param name="generators">How many there are.</param>
    public LoadProfile ShareOf(int generator, int generators)
    {
        int Part(int whole) => Math.Max(1, (whole / generators) + (generator <= whole % generators ? 1 : 0));
        return this with
        {
            Slots = Slots is { } slots ? Part(slots) : null,
            Steps =
            [
                .. Steps.Select(step => step with
                {
                    PerSecond = step.PerSecond / generators,
                    ReadsPerSecond = step.ReadsPerSecond / generators,
                    MinUsers = Part(step.MinUsers),
                    MaxUsers = Part(step.MaxUsers),
                    Operations = step.Operations is { } operations ? Part(operations) : null,
                    Backlog = step.Backlog == 0 ? 0 : Part(step.Backlog),
                    Wave = step.Wave is { } wave ? wave with { High = wave.High / generators, Low = wave.Low / generators } : null,
                    BacklogBetween = step.BacklogBetween is { } bounds ? new(bounds.Low / generators, Part(bounds.High)) : null,
                }),
            ],
        };
    }

    private static int AtLeastOne(double value) => Math.Max(1, (int)Math.Round(value));
}

/// <summary>A profile can't be read, or makes no sense; the message says where and what would.</summary>
public sealed class LoadProfileException(string message, Exception? inner = null) : Exception(message, inner);

/// <summary>What a step must keep, besides that every operation is accounted for and none fails.</summary>
public sealed record StepObjectives
{
    /// <value>The highest p99 of the response time; default none.</value>
    public TimeSpan? P99 { get; init; }

    /// <value>The highest part of operations that fail for real, 0 to 1; default 0.</value>
    public double ErrorRate { get; init; }

    /// <value>The highest part of arrivals that begin late or never, 0 to 1; default none, but dropped ones always fail.</value>
    public double? Lateness { get; init; }
}

/// <summary>A setting of the engine as a run had it.</summary>
/// <param name="Name">As it is asked for, for instance <c>claim-batch</c>.</param>
/// <param name="Value">In this run.</param>
/// <param name="Standard">Where nobody sets it.</param>
/// <param name="Meaning">What it is, in a few words.</param>
/// <param name="More">What a higher value takes from one component and gives to another.</param>
public sealed record EngineSettingValue(string Name, string Value, string Standard, string Meaning, string More);

namespace Serdica.Perf.Results.Profiles;

/// <summary>
/// A load test: its work, its steps and its thresholds. All steps of a repeat share one fresh store unless <see cref="FreshSteps"/>
/// is set.
/// </summary>
public sealed record LoadProfile
{
    /// <summary>The workflow whose operations <see cref="Work"/> shapes.</summary>
    public const string ShapedWorkflow = "signal-roundtrip";

    /// <summary>
    /// The shortest warm-up that can be enough, of scenarios, load tests and queues alike: code, pools and caches need this time however
    /// short the test is. Compiled code is replaced by faster code in steps, and the rate is flat between two of them.
    /// </summary>
    public static readonly TimeSpan ShortestWarmUp = FromSeconds(3);

    /// <value>Lower case with hyphens; part of file names.</value>
    public required string Name { get; init; }

    public string Description { get; init; } = "";

    /// <value><see cref="ShapedWorkflow"/>, or the name of a scenario of the suite or of the user.</value>
    public string Workflow { get; init; } = ShapedWorkflow;

    public WorkShape Work { get; init; } = new();

    /// <value>The kinds of operations with their weights, instead of <see cref="Workflow"/>; default none.</value>
    public IReadOnlyList<MixPart> Mix { get; init; } = [];

    /// <summary>What the operations are, for people.</summary>
    [JsonIgnore]
    public string WorkName => Mix.Count == 0 ? Workflow : $"mix {OperationMix.Text(Mix)}";

    public required IReadOnlyList<LoadStep> Steps { get; init; }

    /// <value>The number of signal workers; default 2.</value>
    public int Workers { get; init; } = 2;

    /// <value>Settings of the engine by name, for instance <c>claim-batch</c>; default none.</value>
    public IReadOnlyDictionary<string, string> Engine { get; init; } = new Dictionary<string, string>();

    /// <value>The largest number of activities that run at the same time; the default is no limit.</value>
    public int? Slots { get; init; }

    /// <value>
    /// The least duration of a closed load before the first step, which no figure includes; it goes on until the throughput no longer
    /// rises. Default <see cref="ShortestWarmUp"/>; a shorter one ends after its time, warm or not. Not possible when workers start late.
    /// </value>
    public TimeSpan WarmUp { get; init; } = ShortestWarmUp;

    /// <value>The pause between two steps; default none.</value>
    public TimeSpan Cooldown { get; init; }

    /// <value>How long a step waits after its last start for running operations; default 30 s.</value>
    public TimeSpan DrainLimit { get; init; } = FromSeconds(30);

    /// <value>How long after the start of the first step the workers start, so that a backlog forms; default none.</value>
    public TimeSpan WorkerDelay { get; init; }

    /// <value>Whether a step waits, for at most another <see cref="DrainLimit"/>, until nothing is left of the previous one.</value>
    public bool WaitForClean { get; init; }

    /// <value>Whether each step has its own store, so that no step can disturb the next.</value>
    public bool FreshSteps { get; init; }

    /// <value>The seed of random arrivals; default 1.</value>
    public int Seed { get; init; } = 1;

    /// <value>What each step must keep to pass, besides complete accounting of its operations; no operation may fail by default.</value>
    public IReadOnlyList<Threshold> Thresholds { get; init; } = [];

    /// <value>Whether a threshold that is surely broken ends the test.</value>
    public bool AbortOnThreshold { get; init; }

    /// <summary>
    /// A shorter version of the test: durations, pauses, backlogs and numbers of operations are multiplied by a factor; rates
    /// stay. A warm-up of at least <see cref="ShortestWarmUp"/> does not become shorter than that.
    /// </summary>
    /// <param name="factor">Above 0 and up to 1. A step lasts at least one second.</param>
    public LoadProfile Scaled(double factor) =>
        factor == 1
            ? this
            : this with
            {
                WarmUp =
                    WarmUp < ShortestWarmUp ? WarmUp
                    : WarmUp * factor > ShortestWarmUp ? WarmUp * factor
                    : ShortestWarmUp,
                Cooldown = Cooldown * factor,
                WorkerDelay = WorkerDelay * factor,
                Steps =
                [
                    .. Steps.Select(step =>
                        step with
                        {
                            Duration = FromSeconds(Math.Max(1, step.Duration.TotalSeconds * factor)),
                            Operations = step.Operations is { } operations ? AtLeastOne(operations * factor) : null,
                            Backlog = step.Backlog == 0 ? 0 : AtLeastOne(step.Backlog * factor),
                        }
                    ),
                ],
            };

    /// <summary>The test repeated: all steps in their order, then all again on a fresh store.</summary>
    /// <param name="times">The number of repeats; 1 changes nothing.</param>
    public LoadProfile Repeated(int times) =>
        times == 1
            ? this
            : this with
            {
                Steps = [.. Enumerable.Range(1, times).SelectMany(number => Steps.Select(step => step with { Repeat = number }))],
            };

    /// <summary>
    /// The share of one of several generators. Rates are divided; slots, users, backlogs and numbers of operations are split so that
    /// all generators together have the whole, and each has at least one. Each generator has the full number of workers.
    /// </summary>
    /// <param name="generator">The number of the generator, from 1.</param>
    /// <param name="generators">The number of generators.</param>
    public LoadProfile ShareOf(int generator, int generators)
    {
        int Part(int whole) => Math.Max(1, (whole / generators) + (generator <= whole % generators ? 1 : 0));
        return this with
        {
            Slots = Slots is { } slots ? Part(slots) : null,
            Steps =
            [
                .. Steps.Select(step =>
                    step with
                    {
                        PerSecond = step.PerSecond / generators,
                        ReadsPerSecond = step.ReadsPerSecond / generators,
                        Phase = (generator - 1.0) / generators,
                        MinUsers = Part(step.MinUsers),
                        MaxUsers = Part(step.MaxUsers),
                        Operations = step.Operations is { } operations ? Part(operations) : null,
                        Backlog = step.Backlog == 0 ? 0 : Part(step.Backlog),
                        Wave = step.Wave is { } wave ? wave with { High = wave.High / generators, Low = wave.Low / generators } : null,
                        BacklogBetween = step.BacklogBetween is { } bounds ? new(bounds.Low / generators, Part(bounds.High)) : null,
                    }
                ),
            ],
        };
    }

    private static int AtLeastOne(double value) => Math.Max(1, (int)Math.Round(value));
}

/// <summary>A profile cannot be read, or is invalid; the message says where, and what would be valid.</summary>
internal sealed class LoadProfileException(string message, Exception? inner = null) : Exception(message, inner);

/// <summary>A setting of the engine with the value it had in a run.</summary>
/// <param name="Name">The name under which it is set, for instance <c>claim-batch</c>.</param>
/// <param name="Value">The value in this run.</param>
/// <param name="Standard">The default.</param>
/// <param name="Meaning">What it is, in a few words.</param>
/// <param name="More">What a higher value costs one component and gives to another.</param>
public sealed record EngineSettingValue(string Name, string Value, string Standard, string Meaning, string More);

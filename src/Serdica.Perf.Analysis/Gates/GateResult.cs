namespace Serdica.Perf.Analysis.Gates;

/// <summary>The result of a gate for a candidate.</summary>
internal sealed record GateResult
{
    /// <summary>The breaches; the gate fails when there are any.</summary>
    public IReadOnlyList<GateBreach> Breaches { get; init; } = [];

    /// <summary>Breaches that are excused by a quarantine.</summary>
    public IReadOnlyList<GateBreach> Quarantined { get; init; } = [];

    /// <summary>One sentence for each limit that could not be judged, and for each expired quarantine.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The number of figures that were judged against a limit, whatever the result.</summary>
    public int Judged { get; init; }

    /// <summary>Judged figures that were 0 on both sides, which say nothing about speed.</summary>
    public int Zeros { get; init; }

    /// <summary>Judged figures of two single runs for which only a wider limit than the one that was set could be held.</summary>
    public int Widened { get; init; }

    /// <summary>Figures with a limit that could not be judged.</summary>
    public int NotJudged { get; init; }

    /// <summary>Limits that match no figure of either run.</summary>
    public int Unmatched { get; init; }

    /// <summary>Why no figure could be judged; null when one was.</summary>
    public string? NothingBecause { get; init; }

    /// <summary>
    /// Scenarios with a limit on throughput or times, of which none could be judged. What was judged of them, such as their commits,
    /// says nothing about their speed.
    /// </summary>
    public IReadOnlyList<string> SpeedNotJudged { get; init; } = [];

    /// <summary>Why the speed of <see cref="SpeedNotJudged"/> could not be judged; null when there are none.</summary>
    public string? SpeedBecause { get; init; }

    /// <summary>
    /// Why the run of the candidate has less than was to be measured and verified; null when it was neither aborted nor unverified.
    /// </summary>
    public string? Unfinished { get; init; }

    /// <summary>
    /// Figures that every limit on them could judge, and <see cref="Gate.VerificationMetric"/> of each scenario that passed: of these
    /// alone a second run can take a breach away.
    /// </summary>
    [JsonIgnore]
    public IReadOnlySet<(string Scenario, string Metric)> JudgedFigures { get; init; } = new HashSet<(string, string)>();

    /// <summary>
    /// A gate that judged nothing, nothing about the speed of a scenario, or a run that was aborted or not verified, has not held.
    /// </summary>
    [JsonIgnore]
    public GateOutcome Outcome =>
        Breaches.Count > 0 ? GateOutcome.Breached
        : NothingBecause is null && SpeedNotJudged.Count == 0 && Unfinished is null ? GateOutcome.Held
        : GateOutcome.NotJudged;

    /// <summary>
    /// The result after a second run of what was breached. A breach counts when the second run has it too, and when the second run
    /// could not judge its figure. A breach of the second run alone counts where the first run could not judge any speed of the
    /// scenario, or where it lacked or failed the scenario.
    /// </summary>
    /// <param name="second">The result of the second run with the same limits.</param>
    /// <param name="run">The name of the second run.</param>
    public GateResult ConfirmedBy(GateResult second, string run)
    {
        var added = second
            .Breaches.Where(breach =>
                !Has(breach)
                && (
                    Has(breach with { Metric = Gate.VerificationMetric })
                    || (SpeedNotJudged.Contains(breach.Scenario) && ComparedMetric.IsTimingName(breach.Metric))
                )
            )
            .ToArray();
        var cleared = Breaches.Where(breach => !second.Has(breach) && second.HasJudged(breach)).ToArray();
        string[] unknown =
        [
            .. SpeedNotJudged.Where(scenario =>
                !second.JudgedFigures.Any(figure => figure.Scenario == scenario && ComparedMetric.IsTimingName(figure.Metric))
            ),
        ];
        return this with
        {
            Breaches = [.. Breaches.Except(cleared), .. added],
            SpeedNotJudged = unknown,
            SpeedBecause = unknown.Length == 0 ? null : SpeedBecause,
            NothingBecause = second.NothingBecause is null ? null : NothingBecause,
            Notes =
            [
                .. Notes,
                .. cleared.Select(breach => $"Not confirmed by a second run ({run}), so it does not count: {breach.Sentence}"),
                .. Breaches
                    .Except(cleared)
                    .Where(breach => !second.Has(breach))
                    .Select(breach => $"A second run ({run}) could not judge it, so it counts: {breach.Sentence}"),
                .. added.Select(breach => $"Only a second run ({run}) could judge it, so it counts: {breach.Sentence}"),
            ],
        };
    }

    /// <summary>Whether this run exceeded a limit on the same figure.</summary>
    public bool Has(GateBreach breach) => Breaches.Any(own => (own.Scenario, own.Metric) == (breach.Scenario, breach.Metric));

    private bool HasJudged(GateBreach breach) => JudgedFigures.Contains((breach.Scenario, breach.Metric));
}

/// <summary>How a gate ended.</summary>
internal enum GateOutcome
{
    /// <summary>No limit was exceeded, and speed was judged for every scenario that has a limit on it.</summary>
    Held,

    Breached,

    /// <summary>No figure could be judged, or none about the speed of a scenario; or the run was aborted or not verified.</summary>
    NotJudged,
}

/// <summary>A limit that was exceeded.</summary>
/// <param name="Scenario">The name of the scenario, starting with the backend.</param>
/// <param name="Metric">
/// The name of the metric, for instance <c>throughput</c>; <c>verification</c> where the scenario is missing or failed.
/// </param>
/// <param name="Before">The figure of the base; null for an objective and for a verification.</param>
/// <param name="After">The figure of the candidate; null for a verification.</param>
/// <param name="Limit">The bound that <paramref name="After"/> exceeded; null for a verification.</param>
/// <param name="Sentence">Metric, before, after, limit and evidence, in words.</param>
internal sealed record GateBreach(string Scenario, string Metric, double? Before, double? After, double? Limit, string Sentence);

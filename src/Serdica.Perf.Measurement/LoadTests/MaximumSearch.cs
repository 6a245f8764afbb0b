namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// A bisection for the highest sustained rate: from half of the rate of a closed load, up or down by halves, until the highest
/// sustained rate and the lowest failed one are close. A failed trial is repeated, because a single disturbance is not a limit;
/// only a rate that failed twice counts as failed. Then a long step at the found rate must be sustained too. A step counts only
/// when it passed: degraded is not enough.
/// </summary>
/// <param name="measured">Operations a second of a closed load.</param>
/// <param name="confirmation">The duration of the confirming step; at least that of a trial.</param>
internal sealed class MaximumSearch(
    double measured,
    TimeSpan duration,
    TimeSpan confirmation,
    Func<double, TimeSpan, Task<StepResult>> tryAsync
)
{
    /// <summary>Closer rates differ by no more than two runs of equal code do.</summary>
    public const double Close = 0.05;

    /// <summary>The largest number of rates that are tried.</summary>
    public const int MostTrials = 12;

    /// <summary>The number of failed trials after which a rate counts as failed.</summary>
    public const int Attempts = 2;

    /// <summary>With fewer operations, a step passes or fails by chance.</summary>
    public const int FewestOperations = 10;

    /// <summary>What holds for a shorter time may not hold for longer: checkpoints, vacuum and growing tables come later.</summary>
    public static readonly TimeSpan ShortestConfirmation = FromSeconds(60);

    /// <summary>
    /// What a failed confirmation leaves of the rate. What holds for a few seconds may be far above what holds for a minute, so each
    /// step down is twice as long as the one before.
    /// </summary>
    private static readonly double[] StepsDown = [0.9, 0.8, 0.6];

    private readonly List<double> _sustained = [];
    private double _held;
    private double? _failed;

    /// <summary>Whether the current step is the confirming one.</summary>
    public bool IsConfirming { get; private set; }

    /// <summary>The duration of the confirming step of trials with a duration.</summary>
    public static TimeSpan Confirmation(TimeSpan requested, TimeSpan trial) => requested > trial ? requested : trial;

    public async Task<FoundMaximum> RunAsync()
    {
        var rate = measured / 2;
        if (!IsEnough(rate))
        {
            return new(
                null,
                null,
                false,
                Invariant($"A closed load completed {measured:N1} operations a second, and half of that is ")
                    + Invariant($"fewer than {FewestOperations} in a trial of {duration.TotalSeconds:0.###} s. ")
                    + "The trials are too short for a search; use a longer --duration."
            );
        }

        for (var trial = 0; trial < MostTrials && !IsFound && IsEnough(rate); trial++)
        {
            if (await HoldsAsync(rate))
                _sustained.Add(_held = rate);
            else
                _failed = rate;
            rate = Next();
        }

        return _held == 0
            ? new(null, _failed, false, Invariant($"No rate held; the lowest that was tried was {_failed:N1} a second."))
            : await ConfirmAsync();
    }

    private bool IsFound => _failed is { } failed && (failed - _held) / failed <= Close;

    private bool IsEnough(double rate) => rate * duration.TotalSeconds >= FewestOperations;

    private async Task<bool> HoldsAsync(double rate)
    {
        for (var attempt = 1; attempt <= Attempts; attempt++)
        {
            if ((await tryAsync(rate, duration)).Verdict == StepVerdict.Passed)
                return true;
        }

        return false;
    }

    /// <summary>The middle of the two bounds; above all sustained rates, up to twice as fast.</summary>
    private double Next() =>
        _failed is { } failed ? (_held + failed) / 2
        : _held < measured ? Math.Min(_held * 1.5, measured)
        : _held * 1.5;

    private async Task<FoundMaximum> ConfirmAsync()
    {
        IsConfirming = true;
        for (var attempt = 0; ; attempt++)
        {
            if ((await tryAsync(_held, confirmation)).Verdict == StepVerdict.Passed)
            {
                var before = _sustained.Contains(_held) ? ", and held again" : "";
                _sustained.Add(_held);
                return new(
                    _held,
                    _failed,
                    true,
                    Invariant($"{_held:N1} a second held{before} for ")
                        + Invariant($"{confirmation.TotalSeconds:0.#} s{Short}; {Beyond()}.")
                )
                {
                    HighestHeld = HighestHeld,
                };
            }

            _failed = _held;
            if (attempt == StepsDown.Length)
                break;
            _held *= StepsDown[attempt];
        }

        // The rate below the last one that failed was never tried. Trials are shorter, so they only say where the limit may be.
        return new(
            null,
            _failed,
            false,
            Invariant($"No rate was confirmed: {_failed:N1} a second did not hold for {confirmation.TotalSeconds:0.#} s{Short}; ")
                + (
                    HighestHeld is { } below
                        ? Invariant($"the highest rate below it that held for {duration.TotalSeconds:0.###} s was {below:N1} a second.")
                        : "no lower rate was tried."
                )
        )
        {
            HighestHeld = HighestHeld,
        };
    }

    /// <summary>The lower end of the bracket, whose upper end is the lowest rate that failed.</summary>
    private double? HighestHeld => _sustained.Where(rate => !(rate >= _failed)).Select(rate => (double?)rate).Max();

    /// <summary>Empty for a confirmation that is long enough.</summary>
    private string Short =>
        confirmation < ShortestConfirmation
            ? Invariant($", which is short: a rate is confirmed by {ShortestConfirmation.TotalSeconds:0.#} s")
            : "";

    private string Beyond() =>
        _failed is { } failed
            ? Invariant($"the limit is between it and {failed:N1} a second, which did not hold")
            : "no rate above it was tried";
}

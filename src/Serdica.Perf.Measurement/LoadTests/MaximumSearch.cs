using Serdica.Perf.Results.LoadTests;
using static System.FormattableString;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// A bisection for the highest sustained rate: from half of the rate of a closed load, up or down by halves, until the highest
/// sustained rate and the lowest failed one are close. A failed trial is repeated, because a single disturbance is not a limit;
/// only a rate that failed twice counts as failed. Then a long step at the found rate must be sustained too. A step counts only
/// when it passed: degraded is not enough.
/// </summary>
/// <param name="measured">Operations a second of a closed load.</param>
/// <param name="duration">The duration of a trial.</param>
/// <param name="confirmation">The duration of the confirming step; at least that of a trial.</param>
/// <param name="tryAsync">Runs a step at a rate for a time.</param>
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

    private const double StepDown = 0.9;
    private const int MostConfirmations = 3;

    private double _held;
    private double? _failed;

    /// <summary>Whether the current step is the confirming one.</summary>
    public bool IsConfirming { get; private set; }

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
                    + Invariant(
                        $"fewer than {FewestOperations} in a step of {duration.TotalSeconds:0.###} s: there is no rate to look for. "
                    )
                    + "Make the steps longer."
            );
        }

        for (var trial = 0; trial < MostTrials && !IsFound && IsEnough(rate); trial++)
        {
            if (await HoldsAsync(rate).ConfigureAwait(false))
                _held = rate;
            else
                _failed = rate;
            rate = Next();
        }

        return _held == 0
            ? new(null, _failed, false, Invariant($"No rate held; the lowest that was tried was {_failed:N1} a second."))
            : await ConfirmAsync().ConfigureAwait(false);
    }

    private bool IsFound => _failed is { } failed && (failed - _held) / failed <= Close;

    private bool IsEnough(double rate) => rate * duration.TotalSeconds >= FewestOperations;

    private async Task<bool> HoldsAsync(double rate)
    {
        for (var attempt = 1; attempt <= Attempts; attempt++)
        {
            if ((await tryAsync(rate, duration).ConfigureAwait(false)).Verdict == StepVerdict.Passed)
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
        for (var attempt = 1; attempt <= MostConfirmations; attempt++)
        {
            if ((await tryAsync(_held, confirmation).ConfigureAwait(false)).Verdict == StepVerdict.Passed)
            {
                return new(
                    _held,
                    _failed,
                    true,
                    Invariant($"{_held:N1} a second held, and held again for {confirmation.TotalSeconds:0.#} s; {Beyond()}.")
                );
            }

            _failed = _held;
            _held *= StepDown;
        }

        return new(
            _held,
            _failed,
            false,
            Invariant($"{_held:N1} a second is likely but not confirmed: steps of {confirmation.TotalSeconds:0.#} s above it did not hold.")
        );
    }

    private string Beyond() =>
        _failed is { } failed
            ? Invariant($"the limit is between it and {failed:N1} a second, which did not hold")
            : "no rate above it was tried";
}

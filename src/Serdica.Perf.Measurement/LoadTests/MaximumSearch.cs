using Serdica.Perf.Results.LoadTests;
using static System.FormattableString;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// Bisection for the highest rate that holds: from half of what a closed load has shown, up or down by halves, until the
/// highest rate that held and the lowest that did not are close. A trial that did not hold is run again, since a single
/// disturbance is no limit; only a rate that failed twice is one that does not hold. Then a long step at the rate that held
/// must hold as well. A step holds when it is passed: degraded is not held.
/// </summary>
/// <param name="measured">Operations a second of a closed load.</param>
/// <param name="duration">Of a trial.</param>
/// <param name="confirmation">Of the step that confirms; at least as long as a trial.</param>
/// <param name="tryAsync">Runs a step at a rate for a time.</param>
internal sealed class MaximumSearch(
    double measured, TimeSpan duration, TimeSpan confirmation, Func<double, TimeSpan, Task<StepResult>> tryAsync)
{
    /// <summary>Closer than this the difference is that of two runs of the same.</summary>
    public const double Close = 0.05;

    /// <summary>Rates that are tried.</summary>
    public const int MostTrials = 12;

    /// <summary>A rate that failed so often does not hold.</summary>
    public const int Attempts = 2;

    /// <summary>A step of fewer operations holds, or does not, by chance.</summary>
    public const int FewestOperations = 10;

    private const double StepDown = 0.9;
    private const int MostConfirmations = 3;

    private double _held;
    private double? _failed;

    /// <summary>Whether the step that runs is one that confirms.</summary>
    public bool IsConfirming { get; private set; }

    public async Task<FoundMaximum> RunAsync()
    {
        var rate = measured / 2;
        if (!IsEnough(rate))
        {
            return new(null, null, false, Invariant($"A closed load completed {measured:N1} operations a second, and half of that is ")
                + Invariant($"fewer than {FewestOperations} in a step of {duration.TotalSeconds:0.###} s: there is no rate to look for. ")
                + "Make the steps longer.");
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

    /// <summary>Between the two; beyond what has held, up to twice as fast.</summary>
    private double Next() => _failed is { } failed ? (_held + failed) / 2 : _held < measured ? Math.Min(_held * 1.5, measured) : _held * 1.5;

    private async Task<FoundMaximum> ConfirmAsync()
    {
        IsConfirming = true;
        for (var attempt = 1; attempt <= MostConfirmations; attempt++)
        {
            if ((await tryAsync(_held, confirmation).ConfigureAwait(false)).Verdict == StepVerdict.Passed)
            {
                return new(_held, _failed, true, Invariant($"{_held:N1} a second held, and held again for {confirmation.TotalSeconds:0.#} s; {Beyond()}."));
            }

            _failed = _held;
            _held *= StepDown;
        }

        return new(_held, _failed, false, Invariant($"{_held:N1} a second is likely but not confirmed: steps of {confirmation.TotalSeconds:0.#} s above it did not hold."));
    }

    private string Beyond() => _failed is { } failed
        ? Invariant($"the limit is between it and {failed:N1} a second, which did not hold")
        : "no rate above it was tried";
}

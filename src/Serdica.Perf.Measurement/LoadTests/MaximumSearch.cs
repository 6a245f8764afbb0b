using Serdica.Perf.Results.LoadTests;
using static System.FormattableString;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// Bisection for the highest rate that holds: from half of what a closed load has shown, up or down by halves, until the
/// highest rate that held and the lowest that did not are close; then a longer step at the former must hold as well.
/// A step holds when it is passed: degraded is not held.
/// </summary>
/// <param name="measured">Operations a second of a closed load.</param>
/// <param name="duration">Of a step that is no confirmation.</param>
/// <param name="tryAsync">Runs a step at a rate, so many times as long as usual.</param>
internal sealed class MaximumSearch(double measured, TimeSpan duration, Func<double, double, Task<StepResult>> tryAsync)
{
    /// <summary>Closer than this the difference is that of two runs of the same.</summary>
    public const double Close = 0.05;

    public const int MostTrials = 12;

    public const double ConfirmationFactor = 3;

    /// <summary>A step of fewer operations holds, or does not, by chance.</summary>
    public const int FewestOperations = 10;

    private const double StepDown = 0.9;
    private const int MostConfirmations = 3;

    private double _held;
    private double? _failed;

    public async Task<FoundMaximum> RunAsync()
    {
        var rate = measured / 2;
        if (!IsEnough(rate))
            return new(null, null, false, Invariant($"A closed load completed {measured:N1} operations a second, and half of that is fewer than {FewestOperations} in a step of {duration.TotalSeconds:0.###} s: there is no rate to look for. Make the steps longer."));

        for (var trial = 0; trial < MostTrials && !IsFound && IsEnough(rate); trial++)
        {
            if ((await tryAsync(rate, 1).ConfigureAwait(false)).Verdict == StepVerdict.Passed)
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

    /// <summary>Between the two; beyond what has held, up to twice as fast.</summary>
    private double Next() => _failed is { } failed ? (_held + failed) / 2 : _held < measured ? Math.Min(_held * 1.5, measured) : _held * 1.5;

    private async Task<FoundMaximum> ConfirmAsync()
    {
        for (var attempt = 1; attempt <= MostConfirmations; attempt++)
        {
            if ((await tryAsync(_held, ConfirmationFactor).ConfigureAwait(false)).Verdict == StepVerdict.Passed)
                return new(_held, _failed, true, Invariant($"{_held:N1} a second held, and held again in a step {ConfirmationFactor:0} times as long; {Beyond()}."));

            _failed = _held;
            _held *= StepDown;
        }

        return new(_held, _failed, false, Invariant($"{_held:N1} a second is likely but not confirmed: longer steps above it did not hold."));
    }

    private string Beyond() => _failed is { } failed ? Invariant($"{failed:N1} did not") : "no rate above it was tried";
}

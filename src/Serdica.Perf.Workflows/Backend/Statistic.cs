namespace Serdica.Perf.Workflows;

/// <summary>One figure of a server: a counter that only grows, or a gauge.</summary>
/// <param name="Value"><see langword="null"/> when the server does not have it.</param>
/// <param name="Unit">For instance <c>bytes</c>; <see langword="null"/> for a plain count.</param>
/// <param name="Missing">Why there is no value.</param>
/// <param name="Lag">
/// How long the server may hold the newest changes back; zero when the counter is exact at once. A difference over a
/// time that is not much longer than this says nothing.
/// </param>
/// <param name="IsGauge">True for a state, such as a size or a number of connections, which has no difference over time.</param>
public sealed record Statistic(
    double? Value, string? Unit = null, string? Missing = null, TimeSpan Lag = default, bool IsGauge = false);

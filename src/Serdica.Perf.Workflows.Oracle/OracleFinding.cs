namespace Serdica.Perf.Workflows.Oracle;

/// <summary>What an inspection found out about one thing.</summary>
/// <param name="Check">What was looked at.</param>
/// <param name="Problem">True when a run fails or means nothing because of it.</param>
/// <param name="Detail">What was found, and what to do about it. Free of secrets.</param>
public sealed record OracleFinding(string Check, bool Problem, string Detail);

namespace Serdica.Perf.Workflows;

/// <summary>What one kind of statement cost the server.</summary>
/// <param name="Text">Normalised by the server, without values, shortened.</param>
/// <param name="Calls">How often it ran.</param>
/// <param name="Milliseconds">Time in the server over all calls.</param>
/// <param name="Rows">Rows returned or changed; <see langword="null"/> where the server does not report it.</param>
/// <param name="LogBytes">Bytes written to the log; <see langword="null"/> where the server does not report it.</param>
public sealed record StatementCost(string Text, long Calls, double Milliseconds, long? Rows, double? LogBytes);

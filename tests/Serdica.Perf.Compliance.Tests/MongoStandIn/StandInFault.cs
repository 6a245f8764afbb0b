namespace Serdica.Perf.Compliance;

/// <summary>What goes wrong with the next command of one verb.</summary>
/// <param name="Verb">Of the command.</param>
/// <param name="Reply">Given in place of the server's; null hangs up after the command has been run.</param>
internal sealed record StandInFault(string Verb, byte[]? Reply);

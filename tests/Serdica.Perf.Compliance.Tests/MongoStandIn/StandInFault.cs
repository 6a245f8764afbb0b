namespace Serdica.Perf.Compliance;

/// <summary>What goes wrong with the next command of one verb.</summary>
/// <param name="Reply">Given in place of the server's; null hangs up after the command has been run.</param>
/// <param name="Silent">No answer comes, and the connection stays open: its other end was lost.</param>
internal sealed record StandInFault(string Verb, BsonDocument? Reply, bool Silent = false);

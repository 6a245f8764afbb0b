namespace Serdica.Perf.Databases;

/// <summary>What an inspection found for one source.</summary>
/// <param name="Source">The source that was looked at.</param>
/// <param name="IsAvailable">Whether a server can be expected from it.</param>
/// <param name="Detail">What was found, with version and place, or the sentence why not. Free of secrets.</param>
public sealed record SourceFinding(DatabaseSourceKind Source, bool IsAvailable, string Detail);

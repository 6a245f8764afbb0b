namespace Serdica.Perf.Databases.Containers;

/// <summary>A container of the suite.</summary>
/// <param name="Id">The engine's name for it.</param>
/// <param name="Labels">As its plan had them.</param>
/// <param name="Environment">Its variables, passwords among them.</param>
internal sealed record FoundContainer(string Id, IReadOnlyDictionary<string, string> Labels, IReadOnlyDictionary<string, string> Environment);

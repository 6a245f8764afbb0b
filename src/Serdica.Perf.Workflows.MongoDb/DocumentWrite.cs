namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>A write to one collection.</summary>
internal abstract record DocumentWrite(string Collection);

/// <summary>New documents; refused when one has a key that is taken.</summary>
internal sealed record InsertDocuments(string Collection, IReadOnlyList<StoredDocument> Documents) : DocumentWrite(Collection);

/// <summary>Other documents in the place of old ones; refused when one has another version than expected, or is not there.</summary>
internal sealed record ReplaceDocuments(string Collection, IReadOnlyList<Replacement> Replacements) : DocumentWrite(Collection);

/// <summary>Removes what the filter finds; refused when that is not <paramref name="Expected"/> documents.</summary>
internal sealed record DeleteDocuments(string Collection, BsonDocument Filter, int Expected) : DocumentWrite(Collection);

/// <summary>Writes nothing: refuses what it is written with when the filter finds a document on the server that writes.</summary>
/// <param name="Filter">What must not be there.</param>
internal sealed record ExpectNone(string Collection, BsonDocument Filter, string Index) : DocumentWrite(Collection);

/// <param name="Document">The new one, without its id.</param>
/// <param name="Bytes">Roughly the size of the new one.</param>
internal readonly record struct Replacement(Guid Id, long ExpectedVersion, StoredDocument Document, int Bytes);

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The names of a document's elements: a name that is known is read without making a string of it.</summary>
internal sealed class FieldNames
{
    private readonly BsonTrie<bool> _names = new();

    public FieldNames(params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
            _names.Add(name, true);
    }

    /// <summary>Not thread-safe: one for each document.</summary>
    public INameDecoder Decoder() => new TrieNameDecoder<bool>(_names);
}

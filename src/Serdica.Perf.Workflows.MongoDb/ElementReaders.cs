namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>How the elements of a document are read. A name that is known is read without making a string of it.</summary>
internal sealed class ElementReaders<T>
    where T : new()
{
    private readonly BsonTrie<Action<T, IBsonReader>> _readers = new();

    public Action<T, IBsonReader> this[string name]
    {
        set => _readers.Add(name, value);
    }

    public T Read(IBsonReader reader)
    {
        var elements = new T();
        var known = new TrieNameDecoder<Action<T, IBsonReader>>(_readers);
        reader.ReadStartDocument();
        while (reader.ReadBsonType() != BsonType.EndOfDocument)
        {
            reader.ReadName(known);
            if (known.Found)
                known.Value(elements, reader);
            else
                reader.SkipValue();
        }

        reader.ReadEndDocument();
        return elements;
    }
}

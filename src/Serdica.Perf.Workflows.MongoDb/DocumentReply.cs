namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The reply to one command, as the server gave it.</summary>
public readonly record struct DocumentReply(ReadOnlyMemory<byte> Bytes)
{
    /// <summary>The documents of a cursor's page.</summary>
    public BsonReader Documents()
    {
        var cursor = new BsonReader(Element("cursor"u8).Document());
        while (cursor.Next())
        {
            if (cursor.Name.SequenceEqual("firstBatch"u8) || cursor.Name.SequenceEqual("nextBatch"u8))
                return new BsonReader(cursor.Document());
        }

        throw new InvalidDataException("A cursor has no page.");
    }

    /// <summary>What continues the page; 0 when it is the last.</summary>
    public long CursorId()
    {
        var cursor = new BsonReader(Element("cursor"u8).Document());
        return cursor.Find("id"u8) ? cursor.Int64() : 0;
    }

    /// <summary>A number of the reply itself; 0 when there is none of this name.</summary>
    public long Number(ReadOnlySpan<byte> name)
    {
        var reader = new BsonReader(Bytes.Span);
        return reader.Find(name) ? reader.Int64() : 0;
    }

    /// <summary>
    /// Whether a write in a transaction did what it had to: false when a key was taken, the version was another, or the
    /// count is not as expected.
    /// </summary>
    /// <exception cref="DocumentCommandException">The server refused it for a reason that trying again does not mend.</exception>
    public bool Holds(int expected)
    {
        foreach (var (_, code, message) in WriteErrors())
        {
            return code is DocumentErrors.DuplicateKey or DocumentErrors.NotADocument
                ? false
                : throw new DocumentCommandException(code, message, isTransient: false);
        }

        return expected == DocumentCommand.AnyCount || Number("n"u8) == expected;
    }

    /// <summary>Which documents of a write were refused, and why: place in the command, MongoDB's number, words.</summary>
    public List<(int Index, int Code, string Message)> WriteErrors()
    {
        var errors = new List<(int, int, string)>();
        var reader = new BsonReader(Bytes.Span);
        if (!reader.Find("writeErrors"u8))
            return errors;
        var items = new BsonReader(reader.Document());
        while (items.Next())
        {
            var item = new BsonReader(items.Document());
            var (index, code, message) = (0, 0, "");
            while (item.Next())
            {
                if (item.Name.SequenceEqual("index"u8))
                    index = item.Int32();
                else if (item.Name.SequenceEqual("code"u8))
                    code = DocumentDbErrors.CodeOf(item.Int32());
                else if (item.Name.SequenceEqual("errmsg"u8))
                    message = item.String();
            }

            errors.Add((index, code, message));
        }

        return errors;
    }

    private BsonReader Element(ReadOnlySpan<byte> name)
    {
        var reader = new BsonReader(Bytes.Span);
        return reader.Find(name) ? reader : throw new InvalidDataException($"A reply of {Bytes.Length} bytes has no cursor.");
    }
}

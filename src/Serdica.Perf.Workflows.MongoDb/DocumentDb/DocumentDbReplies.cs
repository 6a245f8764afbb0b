using MongoDB.Bson.Serialization;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Reads the extension's replies, which are those of MongoDB's commands.</summary>
internal static class DocumentDbReplies
{
    private const int PackedBits = 6;

    /// <summary>Lets a query read the documents of a cursor's page.</summary>
    public static void ReadPage(byte[] reply, DocumentQuery query)
    {
        using var stream = new ByteBufferStream(new ByteArrayBuffer(reply, isReadOnly: true));
        using var reader = new BsonBinaryReader(stream);
        Enter(reader, "cursor");
        Enter(reader, "firstBatch", "nextBatch");
        while (reader.ReadBsonType() != BsonType.EndOfDocument)
            query.Take(reader);
    }

    /// <summary>Which of the claims somebody else has or is just giving back, by their place in the command.</summary>
    /// <exception cref="DocumentCommandException">The server refused one for another reason.</exception>
    public static List<int> TakenClaims(byte[] reply)
    {
        var taken = new List<int>();
        if (!BsonSerializer.Deserialize<BsonDocument>(reply).TryGetValue("writeErrors", out var errors))
            return taken;
        foreach (var error in errors.AsBsonArray.Cast<BsonDocument>())
        {
            var code = CodeOf(error["code"].ToInt32());
            if (code is not (DocumentErrors.DuplicateKey or DocumentErrors.WriteConflict))
                throw new DocumentCommandException(code, error["errmsg"].AsString, isTransient: false);
            taken.Add(error["index"].ToInt32());
        }

        return taken;
    }

    /// <exception cref="DocumentCommandException">The server left a document as it was.</exception>
    public static void ThrowRefusal(byte[] reply)
    {
        if (BsonSerializer.Deserialize<BsonDocument>(reply).TryGetValue("writeErrors", out var errors))
            throw new DocumentCommandException(CodeOf(errors[0]["code"].ToInt32()), errors[0]["errmsg"].AsString, isTransient: false);
    }

    /// <summary>
    /// The code of an error of a single document is MongoDB's number, or PostgreSQL's SQLSTATE packed into six bits for each
    /// character, the first lowest. A packed one is larger than any of MongoDB's.
    /// </summary>
    public static int CodeOf(int number)
    {
        if (number < 1 << PackedBits * 4)
            return number;
        Span<char> state = stackalloc char[5];
        for (var i = 0; i < state.Length; i++)
            state[i] = (char)('0' + (number >> PackedBits * i & (1 << PackedBits) - 1));
        return DocumentDbErrors.CodeOf(state.ToString());
    }

    /// <summary>Steps into the element of one of these names.</summary>
    private static void Enter(BsonBinaryReader reader, params ReadOnlySpan<string> names)
    {
        reader.ReadStartDocument();
        while (reader.ReadBsonType() != BsonType.EndOfDocument)
        {
            if (names.Contains(reader.ReadName()))
            {
                if (reader.CurrentBsonType == BsonType.Array)
                    reader.ReadStartArray();
                return;
            }

            reader.SkipValue();
        }

        throw new InvalidDataException($"A reply has no '{names[0]}'.");
    }
}

namespace Serdica.Perf.Workflows.MongoDb;

internal static class DocumentDbReplies
{
    private const int PackedBits = 6;

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
    public static List<int> TakenClaims(byte[] reply) => Refused(reply, DocumentErrors.DuplicateKey, DocumentErrors.WriteConflict);

    /// <exception cref="DocumentCommandException">The server left a document as it was.</exception>
    public static void ThrowRefusal(byte[] reply) => Refused(reply);

    private static List<int> Refused(byte[] reply, params ReadOnlySpan<int> expected)
    {
        var places = new List<int>();
        if (!BsonSerializer.Deserialize<BsonDocument>(reply).TryGetValue("writeErrors", out var errors))
            return places;
        foreach (var error in errors.AsBsonArray)
        {
            var code = CodeOf(error["code"].ToInt32());
            if (!expected.Contains(code))
                throw new DocumentCommandException(code, error["errmsg"].AsString, isTransient: false);
            places.Add(error["index"].ToInt32());
        }

        return places;
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

using System.Globalization;
using System.Text;
using System.Text.Json;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>
/// A server's reply, written down as relaxed Extended JSON: <c>$numberLong</c>, <c>$date</c> in milliseconds and
/// <c>$timestamp</c> are understood.
/// </summary>
internal static class RecordedReply
{
    public static DocumentReply Of(string json) => new(Bytes(json));

    /// <summary>One page of a cursor with these documents.</summary>
    public static DocumentReply Page(params string[] documents) =>
        Of($$"""{ "cursor": { "id": { "$numberLong": "0" }, "ns": "a.b", "firstBatch": [{{string.Join(',', documents)}}] }, "ok": 1.0 }""");

    public static byte[] Bytes(string json)
    {
        using var document = JsonDocument.Parse(json);
        return Document(document.RootElement);
    }

    private static byte[] Document(JsonElement element)
    {
        using var bytes = new MemoryStream();
        bytes.Write(new byte[4]);
        var index = 0;
        if (element.ValueKind == JsonValueKind.Array)
        {
            foreach (var item in element.EnumerateArray())
                Element(bytes, index++.ToString(CultureInfo.InvariantCulture), item);
        }
        else
        {
            foreach (var property in element.EnumerateObject())
                Element(bytes, property.Name, property.Value);
        }

        bytes.WriteByte(0);
        var document = bytes.ToArray();
        BitConverter.TryWriteBytes(document, document.Length);
        return document;
    }

    private static void Element(MemoryStream bytes, string name, JsonElement value)
    {
        var (type, content) = Value(value);
        bytes.WriteByte((byte)type);
        bytes.Write(Encoding.UTF8.GetBytes(name));
        bytes.WriteByte(0);
        bytes.Write(content);
    }

    private static (BsonType Type, byte[] Content) Value(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Array => (BsonType.Array, Document(value)),
        JsonValueKind.Object when value.TryGetProperty("$numberLong", out var number) =>
            (BsonType.Int64, BitConverter.GetBytes(long.Parse(number.GetString()!, CultureInfo.InvariantCulture))),
        JsonValueKind.Object when value.TryGetProperty("$date", out var date) => (BsonType.DateTime, BitConverter.GetBytes(date.GetInt64())),
        JsonValueKind.Object when value.TryGetProperty("$timestamp", out var timestamp) =>
            (BsonType.Timestamp, BitConverter.GetBytes(timestamp.GetProperty("t").GetInt64() << 32 | timestamp.GetProperty("i").GetInt64())),
        JsonValueKind.Object => (BsonType.Document, Document(value)),
        JsonValueKind.String => (BsonType.String, Text(value.GetString()!)),
        JsonValueKind.True => (BsonType.Boolean, [1]),
        JsonValueKind.False => (BsonType.Boolean, [0]),
        JsonValueKind.Null => (BsonType.Null, []),
        _ when value.TryGetInt32(out var number) && !value.GetRawText().Contains('.') => (BsonType.Int32, BitConverter.GetBytes(number)),
        _ => (BsonType.Double, BitConverter.GetBytes(value.GetDouble())),
    };

    private static byte[] Text(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        return [.. BitConverter.GetBytes(bytes.Length + 1), .. bytes, 0];
    }
}

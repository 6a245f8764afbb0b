using System.Buffers;
using System.Text.Encodings.Web;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// The bytes that the database keeps and never looks into. An instance is a JSON document, with the user's state and
/// the engine's notes in it byte for byte; a signal is its name, a line feed and its payload, which may be anything.
/// </summary>
internal static class OracleContents
{
    /// <summary>
    /// In the column of what is waited for: the instance was continued. Its signals go on to the continuation, so the purge waits for
    /// them.
    /// </summary>
    public const WaitKinds Continued = (WaitKinds)32;

    private const byte LineFeed = (byte)'\n';

    /// <summary>Before the payload of a message: no bytes at all would be NULL.</summary>
    private const byte MessageMark = (byte)'m';

    // For people who look into the table; nothing of it is ever part of a page.
    private static readonly JsonWriterOptions Readable = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    private static readonly JsonReaderOptions Deep = new() { MaxDepth = 1_024 };

    public static byte[] Of(InstanceRecord instance)
    {
        var buffer = new ArrayBufferWriter<byte>(256 + instance.State.Length + (instance.Progress?.Length ?? 0));
        using (var writer = new Utf8JsonWriter(buffer, Readable))
        {
            writer.WriteStartObject();
            writer.WriteString("definition"u8, instance.Definition);
            writer.WriteNumber("definitionVersion"u8, instance.DefinitionVersion);
            writer.WriteString("step"u8, instance.Step);
            if (instance.Error is not null)
                writer.WriteString("error"u8, instance.Error);
            writer.WritePropertyName("state"u8);
            writer.WriteRawValue(instance.State, skipInputValidation: true);
            if (instance.Progress is not null)
            {
                writer.WritePropertyName("progress"u8);
                writer.WriteRawValue(instance.Progress, skipInputValidation: true);
            }

            writer.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    public static byte[] Of(Signal signal)
    {
        var name = Encoding.UTF8.GetByteCount(signal.Name);
        var content = new byte[name + 1 + signal.Payload.Length];
        Encoding.UTF8.GetBytes(signal.Name, content);
        content[name] = LineFeed;
        signal.Payload.CopyTo(content, name + 1);
        return content;
    }

    public static byte[] Of(Message message) => [MessageMark, .. message.Payload];

    /// <summary>Adds what the content holds to what the columns hold.</summary>
    public static InstanceRecord ReadInstance(OracleInstanceRow row, ReadOnlySpan<byte> content)
    {
        string? definition = null,
            step = null,
            error = null;
        byte[]? state = null,
            progress = null;
        var definitionVersion = 0;
        var reader = new Utf8JsonReader(content, Deep);
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = reader.GetString();
            reader.Read();
            switch (name)
            {
                case "definition":
                    definition = reader.GetString();
                    break;
                case "definitionVersion":
                    definitionVersion = reader.GetInt32();
                    break;
                case "step":
                    step = reader.GetString();
                    break;
                case "error":
                    error = reader.GetString();
                    break;
                case "state":
                    state = ReadRaw(ref reader, content);
                    break;
                case "progress":
                    progress = ReadRaw(ref reader, content);
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }

        return new InstanceRecord
        {
            Id = row.Id,
            ParentId = row.ParentId,
            BusinessKey = row.BusinessKey,
            Version = row.Version,
            Status = row.Status,
            Waits = row.Waits & ~Continued,
            CreatedAt = row.CreatedAt,
            UpdatedAt = row.UpdatedAt,
            Definition = definition!,
            DefinitionVersion = definitionVersion,
            Step = step!,
            Error = error,
            State = state!,
            Progress = progress,
        };
    }

    public static (string Name, byte[] Payload) ReadSignal(ReadOnlySpan<byte> content)
    {
        var end = content.IndexOf(LineFeed);
        return (Encoding.UTF8.GetString(content[..end]), content[(end + 1)..].ToArray());
    }

    public static byte[] ReadMessage(ReadOnlySpan<byte> content) => content[1..].ToArray();

    private static byte[] ReadRaw(ref Utf8JsonReader reader, ReadOnlySpan<byte> content)
    {
        var start = (int)reader.TokenStartIndex;
        reader.Skip();
        return content[start..(int)reader.BytesConsumed].ToArray();
    }
}

/// <summary>Cuts the contents that came beside a document: they lie one after the other, in the order of its items.</summary>
internal sealed class OracleContentReader(byte[] contents)
{
    private int _offset;

    /// <summary>The content of the next item; <see langword="null"/> when it is large and must be asked for.</summary>
    public byte[]? Next(JsonElement item)
    {
        if (!item.TryGetProperty("content"u8, out var length))
            return null;
        var start = _offset;
        _offset += length.GetInt32();
        return contents[start.._offset];
    }
}

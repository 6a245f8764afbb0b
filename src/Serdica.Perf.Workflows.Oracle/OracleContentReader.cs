using System.Text.Json;

namespace Serdica.Perf.Workflows.Oracle;

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

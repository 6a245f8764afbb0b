using System.Globalization;
using System.Text.Unicode;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>What the event of an operation carries: the number that must arrive in the state's instance, and filling.</summary>
internal sealed record ShapedEvent
{
    /// <summary>See <see cref="ShapedState.Number"/>.</summary>
    public long Number { get; init; }

    /// <summary>Makes the JSON as long as it was asked for.</summary>
    public string Fill { get; init; } = "";

    /// <summary>The JSON, exactly <paramref name="bytes"/> long where that has room for the number.</summary>
    public static byte[] WriteJson(long number, int bytes)
    {
        // Digits before the point are padded by blanks, which JSON allows and which keep the length.
        Span<byte> start = stackalloc byte[64];
        Utf8.TryWrite(start, CultureInfo.InvariantCulture, $"{{\"number\":{number,12},\"fill\":\"", out var written);
        var end = "\"}"u8;
        var json = new byte[Math.Max(bytes, written + end.Length)];
        start[..written].CopyTo(json);
        json.AsSpan(written..^end.Length).Fill((byte)'x');
        end.CopyTo(json.AsSpan(json.Length - end.Length));
        return json;
    }
}

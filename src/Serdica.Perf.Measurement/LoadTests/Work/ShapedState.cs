using System.Globalization;
using System.Text.Unicode;

namespace Serdica.Perf.Measurement.LoadTests.Work;

/// <summary>State of a shaped instance: what was done to it, and how often.</summary>
internal sealed class ShapedState
{
    /// <summary>The operation's number times the fan-out, plus the number within the operation.</summary>
    public long Number { get; set; }

    public int Events { get; set; }

    public int Activities { get; set; }

    /// <summary>The activity failed on purpose.</summary>
    public bool FailedOnPurpose { get; set; }

    public int Timers { get; set; }

    public int Children { get; set; }

    public int Finished { get; set; }

    /// <summary>Makes the state as large as it was asked for.</summary>
    public string Fill { get; set; } = "";
}

/// <summary>State of a child of a shaped instance.</summary>
internal sealed class ShapedChildState
{
    public int Done { get; set; }
}

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

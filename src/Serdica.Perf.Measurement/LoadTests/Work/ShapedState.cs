using System.Text.Unicode;

namespace Serdica.Perf.Measurement.LoadTests.Work;

/// <summary>The state of a shaped instance: which steps ran, and how many times.</summary>
internal sealed class ShapedState
{
    /// <summary>The operation's number times the fan-out, plus the number within the operation.</summary>
    public long Number { get; set; }

    public int Events { get; set; }

    public int Activities { get; set; }

    /// <summary>Whether the activity failed on purpose.</summary>
    public bool FailedOnPurpose { get; set; }

    public int Timers { get; set; }

    public int Children { get; set; }

    public int Finished { get; set; }

    /// <summary>Pads the state to the requested size.</summary>
    public string Fill { get; set; } = "";
}

/// <summary>The state of a child of a shaped instance.</summary>
internal sealed class ShapedChildState
{
    public int Done { get; set; }
}

/// <summary>The payload of an operation's event: the number that must arrive in the state of the instance, and padding.</summary>
internal sealed record ShapedEvent
{
    /// <summary>See <see cref="ShapedState.Number"/>.</summary>
    public long Number { get; init; }

    /// <summary>Pads the JSON to the requested size.</summary>
    public string Fill { get; init; } = "";

    /// <summary>The JSON, exactly <paramref name="bytes"/> long where there is room for the number.</summary>
    public static byte[] WriteJson(long number, int bytes)
    {
        // The number is padded with blanks, which JSON allows and which keep the length.
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

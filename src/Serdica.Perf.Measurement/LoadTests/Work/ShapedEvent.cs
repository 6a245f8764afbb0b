using System.Text;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>What the event of an operation carries: the number that must arrive in the state's instance, and filling.</summary>
/// <param name="Number">See <see cref="ShapedState.Number"/>.</param>
/// <param name="Fill">Makes the JSON as long as it was asked for.</param>
internal sealed record ShapedEvent(long Number, string Fill)
{
    private static readonly string Shortest = Text(0, "");

    /// <summary>The JSON, exactly <paramref name="bytes"/> long where that has room for the number.</summary>
    public static byte[] WriteJson(long number, int bytes) =>
        Encoding.ASCII.GetBytes(Text(number, new string('x', Math.Max(0, bytes - Shortest.Length))));

    private static string Text(long number, string fill) =>
        // Digits before the point are padded by blanks, which JSON allows and which keep the length.
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{{\"number\":{number,12},\"fill\":\"{fill}\"}}");
}

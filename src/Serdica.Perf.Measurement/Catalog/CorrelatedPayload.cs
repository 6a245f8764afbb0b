using System.Buffers.Text;

namespace Serdica.Perf.Measurement.Catalog;

/// <summary>The payload of a signal: a correlation that must arrive in the instance's state, and padding.</summary>
/// <param name="Correlation">The number of the operation, in ten digits.</param>
/// <param name="Fill">Pads the JSON to the scenario's length.</param>
internal sealed record CorrelatedPayload(string Correlation, string Fill)
{
    public const int Bytes = 256;

    private const int Digits = 10;
    private static readonly byte[] Before = "{\"correlation\":\""u8.ToArray();
    private static readonly byte[] Between = "\",\"fill\":\""u8.ToArray();
    private static readonly byte[] Template = MakeTemplate();

    /// <summary>The correlation of an operation.</summary>
    public static string CorrelationOf(int operation) => operation.ToString("D10", CultureInfo.InvariantCulture);

    /// <summary>The payload as JSON of exactly <see cref="Bytes"/> bytes, without serialising it each time.</summary>
    public static byte[] WriteJson(int operation)
    {
        var json = Template.AsSpan().ToArray();
        Utf8Formatter.TryFormat(operation, json.AsSpan(Before.Length, Digits), out _, new('D', Digits));
        return json;
    }

    private static byte[] MakeTemplate()
    {
        var json = new byte[Bytes];
        json.AsSpan().Fill((byte)'x');
        Before.CopyTo(json, 0);
        Between.CopyTo(json, Before.Length + Digits);
        "\"}"u8.CopyTo(json.AsSpan(Bytes - 2));
        return json;
    }
}

using System.Text.Encodings.Web;

namespace Serdica.Perf.Reports.Documents;

/// <summary>
/// How a <see cref="ReportDocument"/> is written: short, since a page carries it, and with everything escaped that could end a
/// script or begin a tag.
/// </summary>
internal static class ReportJson
{
    private static readonly JsonSerializerOptions Options = new(MeasurementJson.Compact)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = JavaScriptEncoder.Default,
    };

    public static string Of(ReportDocument document) => JsonSerializer.Serialize(document, Options);
}

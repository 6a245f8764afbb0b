using System.Text.Json.Serialization;
using Serdica.Perf.Results;

namespace Serdica.Perf.Report.Tests;

/// <summary>A page whose data have a tag with a script in front of every text, whatever field or key it stands in.</summary>
internal static class EvilText
{
    public const string Tag = "<img src=x onerror=\"window.taken = true\">";

    private static readonly JsonSerializerOptions Options = new(MeasurementJson.Compact)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Converters = { new EvilString() },
    };

    /// <summary>The page of the document, with its data replaced.</summary>
    public static string PageOf(ReportDocument document)
    {
        using var writer = new StringWriter();
        HtmlReport.Write(writer, document);
        var (page, data) = (writer.ToString(), ReportJson.Of(document));
        Assert.Contains(data, page);
        return page.Replace(data, DataOf(document));
    }

    private static string DataOf(ReportDocument document)
    {
        // As ReportJson escapes it: a tag must not end the block of data.
        var escaped = JsonSerializer
            .SerializeToNode(document, Options)!
            .ToJsonString(new JsonSerializerOptions { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.Default });
        Assert.Contains("window.taken", escaped);
        return escaped;
    }

    private sealed class EvilString : JsonConverter<string>
    {
        public override string? Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) =>
            throw new NotSupportedException();

        public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) =>
            writer.WriteStringValue(Tag + value);

        public override void WriteAsPropertyName(Utf8JsonWriter writer, string value, JsonSerializerOptions options) =>
            writer.WritePropertyName(Tag + value);
    }
}

using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Serdica.Perf.Results;

/// <summary>
/// How results are written: camelCase, enums as words, null where a figure is missing. By reflection and not by the source
/// generator, which sets an init-only property that is missing in the file to null instead of leaving its default.
/// </summary>
public static class MeasurementJson
{
    /// <summary>For every artifact that people may open.</summary>
    public static JsonSerializerOptions Artifacts { get; } = Create(indented: true);

    /// <summary>The same on one line, for histograms.</summary>
    public static JsonSerializerOptions Compact { get; } = Create(indented: false);

    private static JsonSerializerOptions Create(bool indented)
    {
        var options = new JsonSerializerOptions
        {
            PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            WriteIndented = indented,
            NewLine = "\n",
            Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase, allowIntegerValues: false) },
            RespectNullableAnnotations = true,
            TypeInfoResolver = new DefaultJsonTypeInfoResolver(),

            // Files for people and programs, never a part of a web page: a quotation mark in the command stays readable.
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        };
        options.MakeReadOnly();
        return options;
    }
}

using System.Text.Json.Nodes;
using System.Text.Json.Schema;

namespace Serdica.Perf.Reports;

/// <summary>The JSON schemas of the artifacts, made from the types that are written; kept in <c>docs/schemas/</c>.</summary>
internal static class SchemaDocuments
{
    /// <summary>What several files hold is described once, and the other schemas refer to it.</summary>
    private static readonly Type[] SharedTypes =
    [
        typeof(DatabaseDescription),
        typeof(EngineCounters),
        typeof(EnvironmentFingerprint),
        typeof(HostFigures),
        typeof(LatencySummary),
        typeof(LoadPhase),
        typeof(MetricValue),
        typeof(OperationError),
        typeof(ResourceFigures),
        typeof(ResourceFigures.Usage),
        typeof(Spread),
        typeof(TimeSpan),
        typeof(Trend),
        typeof(VerificationCheck),
    ];

    private static readonly JsonSchemaExporterOptions Exporter = new()
    {
        TreatNullObliviousAsNonNullable = true,
        TransformSchemaNode = (context, schema) =>
            !context.Path.IsEmpty && PlaceOf(context.TypeInfo.Type) is { } place ? Refer(place, schema) : schema,
    };

    /// <summary>The schema to which the others refer.</summary>
    public static string Shared =>
        Write("Serdica.Perf types of several files", new() { ["$defs"] = new JsonObject(SharedTypes.Select(Definition)) });

    /// <summary>The schema of a type that is written as an artifact.</summary>
    public static string Of(Type type, string title) => Write(title, Export(type));

    private static KeyValuePair<string, JsonNode?> Definition(Type type) => new(type.Name, Export(type));

    private static JsonObject Export(Type type) => MeasurementJson.Artifacts.GetJsonSchemaAsNode(type, Exporter).AsObject();

    private static string? PlaceOf(Type type) =>
        type == typeof(Sample) ? "sample.schema.json"
        : SharedTypes.Contains(type) ? $"shared.schema.json#/$defs/{type.Name}"
        : null;

    private static JsonObject Refer(string place, JsonNode schema)
    {
        var reference = new JsonObject { ["$ref"] = place };
        return schema["type"] is JsonArray
            ? new() { ["anyOf"] = new JsonArray(reference, new JsonObject { ["type"] = "null" }) }
            : reference;
    }

    private static string Write(string title, JsonObject content)
    {
        content.Insert(0, "$schema", "https://json-schema.org/draft/2020-12/schema");
        content.Insert(1, "title", title);
        return content.ToJsonString(MeasurementJson.Artifacts) + "\n";
    }
}

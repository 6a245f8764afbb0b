using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using Serdica.Perf.Analysis.Blocks;
using Serdica.Perf.Analysis.Floors;
using Serdica.Perf.Analysis.History;
using Serdica.Perf.Results.Queues;
using Serdica.Perf.Results.Samples;

namespace Serdica.Perf.Reports;

/// <summary>The JSON schemas of the artifacts, made from the types that are written; kept in <c>docs/schemas/</c>.</summary>
internal static class SchemaDocuments
{
    /// <summary>They nest so deeply that half of them would be indentation.</summary>
    private static readonly JsonSerializerOptions Indented = new(MeasurementJson.Artifacts) { IndentSize = 0 };

    /// <summary>Schema of <see cref="RunFolder.SummaryFile"/>.</summary>
    public static string Summary => Export(typeof(RunResult), "Serdica.Perf run summary");

    /// <summary>Schema of <see cref="RunFolder.ManifestFile"/>.</summary>
    public static string Manifest => Export(typeof(RunManifest), "Serdica.Perf run manifest");

    /// <summary>Schema of each line of <see cref="RunFolder.SamplesFile"/>.</summary>
    public static string Sample => Export(typeof(Sample), "Serdica.Perf sample");

    /// <summary>Schema of <c>ab.json</c>.</summary>
    public static string Ab => Export(typeof(AbResult), "Serdica.Perf comparison in blocks");

    /// <summary>Schema of <c>floor.json</c>.</summary>
    public static string Floor => Export(typeof(FloorResult), "Serdica.Perf floor of a machine");

    /// <summary>Schema of each line of <c>history.ndjson</c>.</summary>
    public static string History => Export(typeof(HistoryLine), "Serdica.Perf history line");

    /// <summary>Schema of <see cref="RunFolder.LoadFile"/>.</summary>
    public static string Load => Export(typeof(LoadTestResult), "Serdica.Perf load test");

    /// <summary>Schema of <see cref="RunFolder.QueueFile"/>.</summary>
    public static string Queue => Export(typeof(QueueTestResult), "Serdica.Perf queue test");

    /// <summary>Schema of a type that is written as an artifact.</summary>
    public static string Export(Type type, string title)
    {
        var schema = new JsonObject { ["$schema"] = "https://json-schema.org/draft/2020-12/schema", ["title"] = title };
        var exported = MeasurementJson.Artifacts.GetJsonSchemaAsNode(type, new() { TreatNullObliviousAsNonNullable = true }).AsObject();
        foreach (var (keyword, value) in exported.ToArray())
        {
            exported.Remove(keyword);
            schema[keyword] = value;
        }

        return schema.ToJsonString(Indented) + "\n";
    }
}

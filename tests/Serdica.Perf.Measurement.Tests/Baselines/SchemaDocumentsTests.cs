using System.Text.Json.Nodes;

namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class SchemaDocumentsTests
{
    public static TheoryData<string> Runs => ["passed", "failed", "aborted"];

    [Fact]
    public void The_summary_schema_in_docs_is_made_from_the_types() =>
        Golden.Matches("docs/schemas/summary.schema.json", SchemaDocuments.Summary);

    [Fact]
    public void The_manifest_schema_in_docs_is_made_from_the_types() =>
        Golden.Matches("docs/schemas/manifest.schema.json", SchemaDocuments.Manifest);

    [Fact]
    public void The_sample_schema_in_docs_is_made_from_the_types() =>
        Golden.Matches("docs/schemas/sample.schema.json", SchemaDocuments.Sample);

    [Fact]
    public void The_schema_of_comparisons_in_docs_is_made_from_the_types() =>
        Golden.Matches("docs/schemas/ab.schema.json", SchemaDocuments.Ab);

    [Fact]
    public void The_schema_of_floors_in_docs_is_made_from_the_types() =>
        Golden.Matches("docs/schemas/floor.schema.json", SchemaDocuments.Floor);

    [Fact]
    public void The_schema_of_histories_in_docs_is_made_from_the_types() =>
        Golden.Matches("docs/schemas/history.schema.json", SchemaDocuments.History);

    [Fact]
    public void The_load_schema_in_docs_is_made_from_the_types() => Golden.Matches("docs/schemas/load.schema.json", SchemaDocuments.Load);

    [Fact]
    public void The_queue_schema_in_docs_is_made_from_the_types() =>
        Golden.Matches("docs/schemas/queue.schema.json", SchemaDocuments.Queue);

    [Theory]
    [MemberData(nameof(Runs))]
    public void What_a_run_folder_holds_fits_the_schemas(string name)
    {
        using var root = new TemporaryFolder();
        var folder = RunFolder.Create(root.Path, "postgresql", "smoke", RunManifest.Of(Run(name)));
        Assert.Empty(Errors(SchemaDocuments.Manifest, folder, RunFolder.ManifestFile));

        folder.Write(Run(name));

        Assert.Empty(Errors(SchemaDocuments.Summary, folder, RunFolder.SummaryFile));
        Assert.Empty(Errors(SchemaDocuments.Manifest, folder, RunFolder.ManifestFile));
    }

    [Fact]
    public void The_schema_finds_what_is_missing_of_another_type_or_not_in_an_enum()
    {
        var summary = JsonSerializer.SerializeToNode(SampleRun.Passed, MeasurementJson.Artifacts)!;
        summary.AsObject().Remove("command");
        summary["status"] = "excellent";
        summary["scenarios"]![0]!["durationMs"] = "64";
        summary["scenarios"]![0]!["phases"]!["start"]!["count"] = 1.5;

        var errors = JsonSchemaValidator.Validate(JsonNode.Parse(SchemaDocuments.Summary)!, summary);

        Assert.Equal(
            ["$.command", "$.scenarios[0].durationMs", "$.scenarios[0].phases.start.count", "$.status"],
            errors.Select(error => error.Split(' ')[0]).Order(StringComparer.Ordinal)
        );
    }

    private static RunResult Run(string name) =>
        name switch
        {
            "passed" => SampleRun.Passed,
            "failed" => SampleRun.Failed,
            _ => SampleRun.Aborted,
        };

    private static IReadOnlyList<string> Errors(string schema, RunFolder folder, string file) =>
        JsonSchemaValidator.Validate(JsonNode.Parse(schema)!, JsonNode.Parse(File.ReadAllText(Path.Combine(folder.Path, file))));
}

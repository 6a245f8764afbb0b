using Serdica.Perf.Analysis.Floors;

namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class SchemaDocumentsTests : FolderTests
{
    public static TheoryData<string> Runs => ["passed", "failed", "aborted"];

    [Theory]
    [InlineData("summary", typeof(RunResult), "Serdica.Perf run summary")]
    [InlineData("manifest", typeof(RunManifest), "Serdica.Perf run manifest")]
    [InlineData("sample", typeof(Sample), "Serdica.Perf sample")]
    [InlineData("ab", typeof(AbResult), "Serdica.Perf comparison in blocks")]
    [InlineData("floor", typeof(FloorResult), "Serdica.Perf floor of a machine")]
    [InlineData("history", typeof(HistoryLine), "Serdica.Perf history line")]
    [InlineData("load", typeof(LoadTestResult), "Serdica.Perf load test")]
    [InlineData("queue", typeof(QueueTestResult), "Serdica.Perf queue test")]
    public void The_schemas_in_docs_are_made_from_the_types(string name, Type type, string title) =>
        Golden.Matches($"docs/schemas/{name}.schema.json", SchemaDocuments.Of(type, title));

    [Fact]
    public void The_shared_schema_in_docs_is_made_from_the_types() =>
        Golden.Matches("docs/schemas/shared.schema.json", SchemaDocuments.Shared);

    [Theory]
    [MemberData(nameof(Runs))]
    public void What_a_run_folder_holds_fits_the_schemas(string name)
    {
        var folder = RunFolder.Create(Root.Path, "postgresql", "smoke", RunManifest.Of(Run(name)));
        Assert.Empty(Errors("manifest", folder, RunFolder.ManifestFile));

        folder.Write(Run(name));

        Assert.Empty(Errors("summary", folder, RunFolder.SummaryFile));
        Assert.Empty(Errors("manifest", folder, RunFolder.ManifestFile));
    }

    [Fact]
    public void The_schema_finds_what_is_missing_of_another_type_or_not_in_an_enum()
    {
        var summary = JsonSerializer.SerializeToNode(SampleRun.Passed, MeasurementJson.Artifacts)!;
        summary.AsObject().Remove("command");
        summary["status"] = "excellent";
        summary["scenarios"]![0]!["durationMs"] = "64";
        summary["scenarios"]![0]!["phases"]!["start"]!["count"] = 1.5;

        var errors = JsonSchemaValidator.Validate("summary", summary);

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
        JsonSchemaValidator.Validate(schema, JsonNode.Parse(File.ReadAllText(Path.Combine(folder.Path, file))));
}

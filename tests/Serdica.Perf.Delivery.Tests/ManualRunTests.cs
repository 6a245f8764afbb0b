namespace Serdica.Perf.Delivery.Tests;

/// <summary>Whoever may start a pipeline by hand may choose the branch, and with it the code that gets the secret.</summary>
public sealed class ManualRunTests
{
    private const string Secret = "serdicaPerfPostgreSql)";

    private static readonly YamlMappingNode[] Stages =
    [
        .. ((YamlSequenceNode)PipelineFile.Read(PipelineFile.Azure).Document["stages"]).Cast<YamlMappingNode>(),
    ];

    [Fact]
    public void Stages_with_the_secret_wait_for_a_reviewer_when_they_are_started_by_hand()
    {
        var secret = Stages.Where(stage => Scalars(stage).Any(text => text.Contains(Secret))).ToArray();

        Assert.Equal(["Nightly", "Weekly"], secret.Select(stage => PipelineJob.Value(stage, "stage")));
        EachItem.Holds(secret, stage =>
        {
            Assert.Contains("Approval", ((YamlSequenceNode)stage["dependsOn"]).Select(name => name.ToString()));
            var condition = PipelineJob.Value(stage, "condition")!;
            Assert.Contains("eq(dependencies.Approval.result, 'Succeeded')", condition);
            Assert.DoesNotContain("'Manual'", condition);
        });
    }

    [Fact]
    public void Approval_is_that_of_an_environment_and_only_of_manual_runs()
    {
        var approval = Assert.Single(Stages, stage => PipelineJob.Value(stage, "stage") == "Approval");
        var job = (YamlMappingNode)Assert.Single((YamlSequenceNode)approval["jobs"]);

        Assert.Equal("measure-by-hand", PipelineJob.Value(job, "environment"));
        Assert.Equal("and(succeeded(), eq(variables['Build.Reason'], 'Manual'))", PipelineJob.Value(approval, "condition"));
        Assert.Contains("`measure-by-hand`", File.ReadAllText(Repository.PathOf("docs/security.md")));
    }

    private static IEnumerable<string> Scalars(YamlMappingNode node) =>
        node.AllNodes.OfType<YamlScalarNode>().Select(scalar => scalar.Value!);
}

namespace Serdica.Perf.Delivery.Tests;

/// <summary>What starts a pipeline, what it may do, and which of its steps run after one that failed.</summary>
public sealed class PipelineConditionTests
{
    private const string Smoke = "Measure the Smoke tier";

    private static readonly YamlMappingNode GitHub = PipelineFile.Read(PipelineFile.GitHub).Document;

    /// <summary>A pull request of a stranger runs his code: it may read what everybody may, and gets no secret.</summary>
    [Fact]
    public void Code_of_a_pull_request_may_only_read()
    {
        Assert.Equal(
            ["push", "pull_request", "schedule", "workflow_dispatch"],
            ((YamlMappingNode)GitHub["on"]).Children.Keys.Select(name => name.ToString())
        );
        var rights = Assert.Single(GitHub.AllNodes.OfType<YamlMappingNode>(), node => node.Children.ContainsKey("permissions"));
        var right = Assert.Single(((YamlMappingNode)rights["permissions"]).Children);
        Assert.Equal(("contents", "read"), (right.Key.ToString(), right.Value.ToString()));
    }

    [Fact]
    public void Nothing_is_measured_of_what_does_not_pass_its_tests()
    {
        var jobs = ((YamlMappingNode)GitHub["jobs"])
            .Children.Select(job => (Name: job.Key.ToString(), Job: (YamlMappingNode)job.Value))
            .Select(job => (job.Name, Needs: PipelineJob.Value(job.Job, "needs"), If: PipelineJob.Value(job.Job, "if") ?? ""))
            .ToList();
        var stages = ((YamlSequenceNode)PipelineFile.Read(PipelineFile.Azure).Document["stages"]).Cast<YamlMappingNode>().ToList();

        EachItem.Holds(
            jobs,
            job =>
                Assert.Equal(
                    job.Name switch { "test" => null, "faults" => "[ test, nightly ]", "regression" => "[ test, faults ]", _ => "test" },
                    job.Needs
                )
        );

        // With these words a job runs after one that failed, however far back that is.
        EachItem.Holds(
            jobs.Where(job => Regex.IsMatch(job.If, @"(failure|cancelled|always)\(\)")),
            job => Assert.StartsWith("needs.test.result == 'success' && !cancelled() && ", job.If)
        );
        Assert.Equal("BuildAndTest", PipelineJob.Value(stages[0], "stage"));
        EachItem.Holds(
            stages.Skip(1),
            stage => Assert.Contains("BuildAndTest", stage["dependsOn"].AllNodes.OfType<YamlScalarNode>().Select(name => name.Value))
        );
    }

    /// <summary>Tests that skip because no server started would pass.</summary>
    [Theory]
    [InlineData(PipelineFile.Azure)]
    [InlineData(PipelineFile.GitHub)]
    public void Tests_and_the_Smoke_tier_have_a_server(string file)
    {
        var steps = PipelineFile
            .Read(file)
            .Jobs.SelectMany(job => job.Steps)
            .Where(step => Name(step) is "Build and test" or Smoke)
            .ToList();

        Assert.Equal(2, steps.Count);
        EachItem.Holds(steps, step => Assert.Equal("postgresql", step["env"]["SERDICA_PERF_REQUIRE"].ToString()));

        // A change does not wait for three containers: the night has them.
        EachItem.Holds(steps, step => Assert.Equal("local", step["env"]["SERDICA_PERF_CITUS_SOURCE"].ToString()));
    }

    /// <summary>What failed is what somebody wants to look at.</summary>
    [Theory]
    [InlineData(PipelineFile.Azure, "condition", "succeededOrFailed()")]
    [InlineData(PipelineFile.GitHub, "if", "success() || failure()")]
    public void Reports_are_shown_and_kept_of_what_failed(string file, string key, string always)
    {
        var steps = PipelineFile.Read(file).Jobs.SelectMany(job => job.Steps).Where(IsForWhoeverLooks).ToList();

        Assert.True(steps.Count > 10);
        EachItem.Holds(steps, step => Assert.Equal(always, PipelineJob.Value(step, key)));
    }

    /// <summary>The base is a commit of the day before, which a shallow clone has not.</summary>
    [Theory]
    [InlineData(PipelineFile.Azure, "checkout", "fetchDepth")]
    [InlineData(PipelineFile.GitHub, "uses", "fetch-depth")]
    public void Two_commits_are_compared_in_the_whole_history(string file, string checkout, string depth)
    {
        var job = Assert.Single(PipelineFile.Read(file).Jobs, job => job.Commands.Contains("dotnet run eng/regression.cs"));
        var step = job.Steps[0];

        Assert.Contains(PipelineJob.Value(step, checkout)!.Split('@')[0], (string[])["self", "actions/checkout"]);
        Assert.Equal("0", PipelineJob.Value(step.Children.TryGetValue("with", out var with) ? (YamlMappingNode)with : step, depth));
    }

    private static string? Name(YamlMappingNode step) => PipelineJob.Value(step, "displayName") ?? PipelineJob.Value(step, "name");

    private static bool IsForWhoeverLooks(YamlMappingNode step) =>
        Name(step)?.StartsWith("Show ") == true
        || PipelineJob.Value(step, "task") == "PublishTestResults@2"
        || PipelineJob.Value(step, "publish") is not null
        || PipelineJob.Value(step, "uses")?.StartsWith("actions/upload-artifact@") == true;
}

using Serdica.Perf.Backends;

namespace Serdica.Perf.Delivery.Tests;

public sealed class PipelineTests
{
    /// <summary>What steps may use beside commands: the SDK, caches and publishing.</summary>
    private static readonly string[] Actions =
    [
        "UseDotNet@2",
        "Cache@2",
        "PublishTestResults@2",
        "actions/checkout",
        "actions/setup-dotnet",
        "actions/cache",
        "actions/upload-artifact",
    ];

    /// <summary>The variable of a matrix that names what faults are done to.</summary>
    private const string Struck = "struck";

    private static readonly string[] UnderFaults = ["DocumentDbUnderFaults", "PostgreSqlUnderFaults"];

    public static TheoryData<string> Files => [PipelineFile.Azure, PipelineFile.GitHub];

    [Theory]
    [MemberData(nameof(Files))]
    public void Every_backend_is_measured_every_night(string file)
    {
        var matrix = PipelineFile.Read(file).Jobs.Select(job => job.Matrix.GetValueOrDefault("backend")).OfType<string>();

        Assert.Equal(BackendNames.All.Order(), matrix.Order());
    }

    /// <summary>Agents of a pool may be containers on one machine.</summary>
    [Fact]
    public void Jobs_of_a_night_on_Azure_measure_one_after_the_other()
    {
        var stages = (YamlSequenceNode)PipelineFile.Read(PipelineFile.Azure).Document["stages"];
        var night = (YamlMappingNode)stages.Single(stage => PipelineJob.Value((YamlMappingNode)stage, "stage") == "Nightly");
        YamlMappingNode[] jobs = [.. ((YamlSequenceNode)night["jobs"]).Cast<YamlMappingNode>()];

        Assert.Equal(
            [null, .. jobs.SkipLast(1).Select(job => PipelineJob.Value(job, "job"))],
            jobs.Select(job => PipelineJob.Value(job, "dependsOn"))
        );
    }

    /// <summary>Each by a server of its own, so that no step gets the way to another.</summary>
    [Theory]
    [MemberData(nameof(Files))]
    public void All_plans_of_faults_are_run_every_night(string file)
    {
        var jobs = PipelineFile.Read(file).Jobs.Where(job => job.Matrix.ContainsKey(Struck)).ToList();

        Assert.Equal(["documentdb", "postgresql"], jobs.Select(job => job.Matrix[Struck]).Order());
        Assert.Equal(
            UnderFaults,
            jobs.SelectMany(job => job.Commands)
                .Where(command => command.StartsWith("dotnet test"))
                .SelectMany(command => UnderFaults.Where(tests => command.Contains($"~{tests}&Category={Tiers.Faults}\"")))
                .Order()
        );
        EachItem.Holds(jobs.SelectMany(job => job.Variables), variable => Assert.Equal("SERDICA_PERF_REQUIRE", variable.Key));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Connection_strings_are_secrets_and_never_values(string file)
    {
        var variables = PipelineFile.Read(file).Jobs.SelectMany(job => job.Variables).ToList();

        Assert.Contains(variables, variable => variable.Key == "SERDICA_PERF_POSTGRESQL");
        EachItem.Holds(variables.Where(variable => variable.Key == "SERDICA_PERF_POSTGRESQL"), variable =>
            Assert.Contains(variable.Value, (string[])["$(serdicaPerfPostgreSql)", "${{ secrets.SERDICA_PERF_POSTGRESQL }}"])
        );
    }

    /// <summary>A tag can be moved to other code by whoever owns the action; a commit cannot.</summary>
    [Fact]
    public void Actions_are_pinned_by_commit()
    {
        var used = PipelineFile
            .Read(PipelineFile.GitHub)
            .Jobs.SelectMany(job => job.Steps)
            .Select(step => PipelineJob.Value(step, "uses"))
            .OfType<string>()
            .ToList();

        Assert.NotEmpty(used);
        EachItem.Holds(used, action => Assert.Matches("^actions/[a-z-]+@[0-9a-f]{40}$", action));
    }

    /// <summary>Set-up, caches and reports run code of many people, and have no use for it.</summary>
    [Theory]
    [InlineData(PipelineFile.Azure, "serdicaPerfPostgreSql")]
    [InlineData(PipelineFile.GitHub, "secrets.")]
    public void The_secret_is_in_the_steps_that_measure_and_nowhere_else(string file, string secret)
    {
        var pipeline = PipelineFile.Read(file);
        var steps = pipeline
            .Jobs.SelectMany(job => job.Steps)
            .Where(step => Scalars(step).Any(text => text.Contains(secret)))
            .ToList();
        var texts = Scalars(pipeline.Document).Count(text => text.Contains(secret));

        Assert.NotEmpty(steps);
        EachItem.Holds(steps, step =>
            Assert.StartsWith("Measure ", PipelineJob.Value(step, "displayName") ?? PipelineJob.Value(step, "name"))
        );
        Assert.Equal(steps.Distinct().Count(), texts);
    }

    [Fact]
    public void Jobs_with_the_secret_wait_for_a_reviewer_when_they_are_started_by_hand()
    {
        var jobs = PipelineFile
            .Read(PipelineFile.GitHub)
            .Document.AllNodes.OfType<YamlMappingNode>()
            .Where(node => node.Children.ContainsKey("steps") && Scalars(node).Any(text => text.Contains("secrets.")))
            .ToList();

        Assert.Equal(3, jobs.Count);
        EachItem.Holds(jobs, job =>
            Assert.Equal(
                "${{ github.event_name == 'workflow_dispatch' && 'measure-by-hand' || '' }}",
                PipelineJob.Value(job, "environment")
            )
        );
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Variables_of_steps_are_explained_in_the_documents(string file)
    {
        var explained = File.ReadAllText(Repository.PathOf("docs/command-line.md"));

        EachItem.Holds(PipelineFile.Read(file).Jobs.SelectMany(job => job.Variables), variable =>
            Assert.Contains($"`{variable.Key}`", explained)
        );
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Steps_use_only_the_few_actions_that_were_chosen(string file)
    {
        var used = PipelineFile
            .Read(file)
            .Jobs.SelectMany(job => job.Steps)
            .Select(step => PipelineJob.Value(step, "task") ?? PipelineJob.Value(step, "uses"))
            .OfType<string>();

        EachItem.Holds(used, action => Assert.Contains(action, Actions.Concat(Actions.Select(name => $"{name}@{action.Split('@')[^1]}"))));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Each_job_that_measures_shows_the_report_and_keeps_the_run_folder(string file)
    {
        var measuring = PipelineFile
            .Read(file)
            .Jobs.Where(job => job.Commands.Any(command => command.Contains("Serdica.Perf.Suite") || command.Contains("Serdica.Perf.Cli")))
            .ToList();

        // Smoke, Smoke on MongoDB and on Oracle, soak and capacity; at night each backend, and those that faults are done to.
        Assert.Equal(5 + BackendNames.All.Count + UnderFaults.Length, measuring.Count);
        EachItem.Holds(measuring, job =>
        {
            // Where no server can be struck, there is no run to show.
            var report = job.Matrix.ContainsKey(Struck) ? "dotnet run eng/report.cs -- --optional" : "dotnet run eng/report.cs";
            Assert.Contains(report, job.Commands);
            Assert.Contains(job.Steps, step =>
                Scalars(step).Any(text => text.Split('\n').Contains(RunFolder.DefaultRoot.Replace('\\', '/')))
            );
        });
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Citus_must_pass_compliance_and_the_Smoke_tier_in_containers_every_night(string file)
    {
        var job = Assert.Single(PipelineFile.Read(file).Jobs, job => job.Matrix.GetValueOrDefault("backend") == BackendNames.Citus);

        Assert.Contains(job.Commands, command => command.Contains("~CitusCompliance\""));
        Assert.Contains(job.Commands, command => command.Contains("~CitusPerformance&Category=WorkflowPerfSmoke&"));
        Assert.Equal(2, job.Variables.Count(variable => variable is { Key: "SERDICA_PERF_CITUS_SOURCE", Value: "containers" }));
        Assert.Equal(BackendNames.Citus, job.Matrix["required"]);
        Assert.Contains(job.Variables, variable => variable is { Key: "SERDICA_PERF_REQUIRE", Value: BackendNames.Citus });
    }

    /// <summary>Where the backends are written no server can be had: these jobs are the first that run them.</summary>
    [Theory]
    [InlineData(PipelineFile.Azure, "MongoDb", "MongoDb", "mongodb")]
    [InlineData(PipelineFile.GitHub, "MongoDb", "MongoDb", "mongodb")]
    [InlineData(PipelineFile.Azure, "Oracle", "OracleAq", "oracle-aq")]
    [InlineData(PipelineFile.GitHub, "Oracle", "OracleAq", "oracle-aq")]
    public void Server_in_a_container_must_pass_doctor_compliance_and_the_Smoke_tier(
        string file,
        string server,
        string measured,
        string backend
    )
    {
        var jobs = PipelineFile.Read(file).Jobs;
        var job = Assert.Single(jobs, job => job.Commands.Any(command => command.Contains($"~{server}Compliance")));

        Assert.Contains(job.Commands, command => command.EndsWith($"-- doctor --backend {backend}"));
        Assert.Contains(job.Commands, command => command.Contains($"~{measured}Performance&Category=WorkflowPerfSmoke"));
        Assert.Equal(backend, job.Matrix["required"]);
        Assert.Equal(3, job.Variables.Count(one => one.Key == "SERDICA_PERF_REQUIRE" && one.Value.Contains("required")));
        var source = $"SERDICA_PERF_{server.ToUpperInvariant()}_SOURCE";
        Assert.Equal(3, job.Variables.Count(one => one.Key == source && one.Value == "containers"));
        Assert.Equal(backend, Assert.Single(jobs, night => night.Matrix.GetValueOrDefault("backend") == backend).Matrix["required"]);
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Test_results_are_published_from_where_they_are_written(string file)
    {
        const string Results = "artifacts/test-results";
        var testing = PipelineFile
            .Read(file)
            .Jobs.Where(job => job.Commands.Any(command => command.Contains("eng/test.cs") || command.StartsWith("dotnet test")))
            .ToList();

        Assert.Equal(4 + BackendNames.All.Count + UnderFaults.Length, testing.Count);
        EachItem.Holds(testing, job =>
        {
            Assert.Contains(job.Commands, command => command.Split(' ').Contains(Results));
            Assert.Contains(job.Steps, step =>
                PipelineJob.Value(step, "script") is null
                && PipelineJob.Value(step, "run") is null
                && Scalars(step).Any(text => text.Split('\n').Contains(Results))
            );
        });
    }

    [Fact]
    public void Both_schedules_of_Azure_run_without_a_change_too()
    {
        var schedules = ((YamlSequenceNode)PipelineFile.Read(PipelineFile.Azure).Document["schedules"]).Cast<YamlMappingNode>().ToList();

        Assert.Equal(["Nightly", "Weekly"], schedules.Select(schedule => PipelineJob.Value(schedule, "displayName")));
        EachItem.Holds(schedules, schedule => Assert.Equal("true", PipelineJob.Value(schedule, "always")));
    }

    [Fact]
    public void Entries_of_a_matrix_have_names_that_Azure_takes()
    {
        var matrices = PipelineFile
            .Read(PipelineFile.Azure)
            .Document.AllNodes.OfType<YamlMappingNode>()
            .Where(node => node.Children.ContainsKey("matrix"));

        EachItem.Holds(matrices.SelectMany(node => ((YamlMappingNode)node["matrix"]).Children.Select(entry => entry.Key)), name =>
            Assert.Matches("^[A-Za-z][A-Za-z0-9_]*$", name.ToString())
        );
    }

    [Fact]
    public void Conditions_of_stages_and_jobs_name_schedules_that_there_are()
    {
        var azure = File.ReadAllText(Repository.PathOf(PipelineFile.Azure));
        Assert.Contains("variables['Build.CronSchedule.DisplayName'], 'Nightly'", azure);
        Assert.Contains("variables['Build.CronSchedule.DisplayName'], 'Weekly'", azure);

        var gitHub = PipelineFile.Read(PipelineFile.GitHub).Document;
        var crons = ((YamlSequenceNode)gitHub["on"]["schedule"])
            .Cast<YamlMappingNode>()
            .Select(schedule => PipelineJob.Value(schedule, "cron")!)
            .ToList();
        EachItem.Holds(crons.Zip((string[])["nightly", "weekly"]), pair =>
            Assert.Contains(
                $"github.event.schedule == '{pair.First}'",
                PipelineJob.Value((YamlMappingNode)gitHub["jobs"][pair.Second], "if")
            )
        );
    }

    private static IEnumerable<string> Scalars(YamlMappingNode step) =>
        step.AllNodes.OfType<YamlScalarNode>().Select(node => node.Value!.Trim());
}

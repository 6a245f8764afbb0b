namespace Serdica.Perf.Mutation;

/// <summary>Code whose errors nobody sees, and the tests that are to see them.</summary>
/// <param name="Name">For the command line and the report.</param>
/// <param name="Files">Below the project; a folder means all files in it.</param>
/// <param name="Tests">The tests that are run; those of scripts are in one project.</param>
internal sealed record MutationTarget(string Name, string Project, string[] Files, params MutationTests[] Tests)
{
    /// <summary>Whether the files are SQL scripts; every test class may reach each of them then.</summary>
    public bool AreScripts { get; init; }

    public static MutationTarget[] All { get; } =
    [
        new(
            "comparison",
            "Serdica.Perf.Analysis",
            ["Comparison", "Blocks", "Limits/GeneratorLimit.cs"],
            MutationTests.Measurement("Comparison.*") with
            {
                Without = ["Comparison.BlockDetectionTests", "Comparison.DetectionTests"],
            }
        ),
        new("gate", "Serdica.Perf.Analysis", ["Gates"], MutationTests.Measurement("Comparison.*")),
        new(
            "judging",
            "Serdica.Perf.Analysis",
            ["LoadTests/StepJudge.cs", "LoadTests/SustainedLoad.cs", "LoadTests/Saturation.cs"],
            MutationTests.Measurement("LoadTests.Step*", "LoadTests.Sustained*")
        ),
        new("recording", "Serdica.Perf.Results", ["Recording"], MutationTests.Measurement("Recording.*", "Driving.IntendedStartTests")),
        new(
            "driving",
            "Serdica.Perf.Measurement",
            ["Driving/LoadRecorder.cs", "Driving/ArrivalTimes.cs", "Driving/SampledInstances.cs"],
            MutationTests.Measurement("Driving.*")
        ),
        new("verification", "Serdica.Perf.Measurement", ["Verification"], MutationTests.Measurement("Verification.*")),
        new("scrubbing", "Serdica.Perf.Results", ["Scrubbing"], MutationTests.Measurement("Baselines.*")),
        new("watermark", "Serdica.Perf.Workflows.PostgreSql", ["Watermark.cs"], MutationTests.Compliance("WatermarkTests")),
        new(
            "claims",
            "Serdica.Perf.Workflows.PostgreSql",
            ["PostgreSqlClaims.cs", "ClaimedRows.cs", "PostgreSqlLeases.cs"],
            MutationTests.Compliance("PostgreSqlCompliance+*", "ClaimedRowsTests")
        ),
        new(
            "safety",
            "Serdica.Perf.Databases",
            ["OwnFolder.cs", "DurableSettings.cs", "Local/StaleClusters.cs", "Local/ClusterOwner.cs", "Local/Watchdog.cs"],
            new MutationTests("Serdica.Perf.Databases.Tests", ["*"])
        ),
        new("checker", "Serdica.Perf.Faults", ["Checking"], new MutationTests("Serdica.Perf.Faults.Tests", ["Checking.*"])),
        new("trend", "Serdica.Perf.Analysis", ["History", "Soak"], MutationTests.Measurement("History.*", "Analysis.TrendTests")),
        new(
            "turns",
            "Serdica.Perf.Workflows",
            [
                "Execution/TurnOfState.cs",
                "Execution/TurnOfState.Inbox.cs",
                "Execution/TurnOfState.Receiving.cs",
                "Execution/BatchDecider.cs",
            ],
            new MutationTests("Serdica.Perf.Workflows.Tests", ["*"]),
            MutationTests.Compliance("InMemoryCompliance+*")
        ),
        new(
            "scripts",
            "Serdica.Perf.Workflows.PostgreSql",
            [
                "Scripts/claim.sql",
                "Scripts/hold.sql",
                "Scripts/overdue.sql",
                "Scripts/held.sql",
                "Scripts/update.sql",
                "Scripts/accept-keys.sql",
                "Scripts/send.sql",
                "Scripts/send-once.sql",
                "Scripts/start-keyed.sql",
                "Scripts/start-children.sql",
                "Scripts/extend-leases.sql",
                "Scripts/withdraw.sql",
                "Scripts/next-due.sql",
                "Scripts/requeue.sql",
                "Scripts/dead-letters.sql",
                "Scripts/purge.sql",
                "Scripts/purge-orphans.sql",
            ],
            MutationTests.Compliance("PostgreSqlCompliance+*", "PostgreSqlConcurrencyFaults", "PostgreSqlDirectFaults", "PostgreSqlFaults")
        )
        {
            AreScripts = true,
        },
        new("model", "Serdica.Perf.Workflows", ["InMemory"], MutationTests.Compliance("InMemoryCompliance+*", "InMemoryModelTests")),
    ];
}

/// <summary>Test classes of one project.</summary>
/// <param name="Classes">Patterns of class names below the namespace; only these are run.</param>
internal sealed record MutationTests(string Project, string[] Classes)
{
    private string Namespace { get; init; } = Project;

    /// <summary>Classes that are not run although a pattern has them: they simulate for minutes.</summary>
    public string[] Without { get; init; } = [];

    /// <summary>Arguments of the runner of the tests.</summary>
    public IEnumerable<string> Filter =>
        [.. Classes.SelectMany(name => new[] { "-class", Full(name) }), .. Without.SelectMany(name => new[] { "-class-", Full(name) })];

    public static MutationTests Measurement(params string[] classes) => new("Serdica.Perf.Measurement.Tests", classes);

    public static MutationTests Compliance(params string[] classes) =>
        new("Serdica.Perf.Compliance.Tests", classes) { Namespace = "Serdica.Perf.Compliance" };

    private string Full(string name) => $"{Namespace}.{name}";
}

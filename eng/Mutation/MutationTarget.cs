namespace Serdica.Perf.Mutation;

/// <summary>Code whose errors nobody sees, and the tests that are to see them.</summary>
/// <param name="Name">For the command line and the report.</param>
/// <param name="Project">The project whose code is changed.</param>
/// <param name="Files">Below the project; a folder means all files in it.</param>
/// <param name="Tests">The test project.</param>
/// <param name="Classes">Patterns of full class names; only these are run.</param>
internal sealed record MutationTarget(string Name, string Project, string[] Files, string Tests, string[] Classes)
{
    /// <summary>Classes that are not run although a pattern has them: they simulate for minutes.</summary>
    public string[] Without { get; init; } = [];

    /// <summary>Whether the files are SQL scripts; every test class may reach each of them then.</summary>
    public bool AreScripts { get; init; }

    private const string Measurement = "Serdica.Perf.Measurement.Tests";
    private const string Compliance = "Serdica.Perf.Compliance.Tests";

    public static MutationTarget[] All { get; } =
    [
        new(
            "comparison",
            "Serdica.Perf.Analysis",
            ["Comparison", "Blocks", "Limits/GeneratorLimit.cs"],
            Measurement,
            ["Serdica.Perf.Measurement.Tests.Comparison.*"]
        )
        {
            Without =
            [
                "Serdica.Perf.Measurement.Tests.Comparison.BlockDetectionTests",
                "Serdica.Perf.Measurement.Tests.Comparison.DetectionTests",
            ],
        },
        new("gate", "Serdica.Perf.Analysis", ["Gates"], Measurement, ["Serdica.Perf.Measurement.Tests.Comparison.*"]),
        new(
            "judging",
            "Serdica.Perf.Analysis",
            ["LoadTests/StepJudge.cs", "LoadTests/SustainedLoad.cs", "LoadTests/Saturation.cs"],
            Measurement,
            ["Serdica.Perf.Measurement.Tests.LoadTests.Step*", "Serdica.Perf.Measurement.Tests.LoadTests.Sustained*"]
        ),
        new(
            "recording",
            "Serdica.Perf.Results",
            ["Recording"],
            Measurement,
            ["Serdica.Perf.Measurement.Tests.Recording.*", "Serdica.Perf.Measurement.Tests.Driving.IntendedStartTests"]
        ),
        new(
            "driving",
            "Serdica.Perf.Measurement",
            ["Driving/LoadRecorder.cs", "Driving/ArrivalTimes.cs", "Driving/SampledInstances.cs"],
            Measurement,
            ["Serdica.Perf.Measurement.Tests.Driving.*"]
        ),
        new("verification", "Serdica.Perf.Measurement", ["Verification"], Measurement, ["Serdica.Perf.Measurement.Tests.Verification.*"]),
        new("scrubbing", "Serdica.Perf.Results", ["Scrubbing"], Measurement, ["Serdica.Perf.Measurement.Tests.Baselines.*"]),
        new("watermark", "Serdica.Perf.Workflows.PostgreSql", ["Watermark.cs"], Compliance, ["Serdica.Perf.Compliance.WatermarkTests"]),
        new(
            "claims",
            "Serdica.Perf.Workflows.PostgreSql",
            ["PostgreSqlClaims.cs", "ClaimedRows.cs", "PostgreSqlLeases.cs"],
            Compliance,
            ["Serdica.Perf.Compliance.PostgreSqlCompliance+*", "Serdica.Perf.Compliance.ClaimedRowsTests"]
        ),
        new(
            "safety",
            "Serdica.Perf.Databases",
            ["OwnFolder.cs", "DurableSettings.cs", "Local/StaleClusters.cs", "Local/ClusterOwner.cs", "Local/Watchdog.cs"],
            "Serdica.Perf.Databases.Tests",
            ["Serdica.Perf.Databases.Tests.*"]
        ),
        new("checker", "Serdica.Perf.Faults", ["Checking"], "Serdica.Perf.Faults.Tests", ["Serdica.Perf.Faults.Tests.Checking.*"]),
        new(
            "trend",
            "Serdica.Perf.Analysis",
            ["History", "Soak"],
            Measurement,
            ["Serdica.Perf.Measurement.Tests.History.*", "Serdica.Perf.Measurement.Tests.Analysis.TrendTests"]
        ),
        new(
            "turns",
            "Serdica.Perf.Workflows",
            [
                "Execution/TurnOfState.cs",
                "Execution/TurnOfState.Inbox.cs",
                "Execution/TurnOfState.Receiving.cs",
                "Execution/BatchDecider.cs",
            ],
            Compliance,
            ["Serdica.Perf.Compliance.InMemoryCompliance+*"]
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
            Compliance,
            [
                "Serdica.Perf.Compliance.PostgreSqlCompliance+*",
                "Serdica.Perf.Compliance.PostgreSqlConcurrencyFaults",
                "Serdica.Perf.Compliance.PostgreSqlDirectFaults",
                "Serdica.Perf.Compliance.PostgreSqlFaults",
            ]
        )
        {
            AreScripts = true,
        },
        new(
            "model",
            "Serdica.Perf.Workflows",
            ["InMemory"],
            Compliance,
            ["Serdica.Perf.Compliance.InMemoryCompliance+*", "Serdica.Perf.Compliance.InMemoryModelTests"]
        ),
    ];
}

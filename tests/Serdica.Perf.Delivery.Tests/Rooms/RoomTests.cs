namespace Serdica.Perf.Delivery.Tests.Rooms;

/// <summary>The doors between the rooms of the house go one way: docs/architecture.md has the picture.</summary>
public sealed class RoomTests
{
    private const string Prefix = "Serdica.Perf.";

    /// <summary>Without the common beginning of the names.</summary>
    private static readonly Dictionary<string, string[]> Plan = new Dictionary<string, string[]>
    {
        ["Workflows"] = [],
        ["Workflows.PostgreSql"] = ["Workflows"],
        ["Workflows.MongoDb"] = ["Workflows"],
        ["Workflows.Oracle"] = ["Workflows"],
        ["Databases"] = [],
        ["Results"] = [],
        ["Analysis"] = ["Results"],
        ["Measurement"] = ["Results", "Analysis", "Workflows"],
        ["Reports"] = ["Results", "Analysis"],
        ["Backends"] = ["Measurement", "Databases", "Workflows.PostgreSql", "Workflows.MongoDb", "Workflows.Oracle"],
        ["Testing"] = ["Backends", "Reports"],
        ["Faults"] = ["Backends"],
        ["Cli"] = ["Backends", "Faults", "Reports"],
    }.ToDictionary(entry => Prefix + entry.Key, entry => entry.Value.Select(name => Prefix + name).ToArray());

    private static House Ours { get; } = House.Read(Repository.PathOf("src"));

    [Fact]
    public void Every_project_refers_only_to_what_the_plan_allows()
    {
        None(Ours.ForbiddenReferences(Plan));
        Assert.Equal(Plan.Keys.Order(StringComparer.Ordinal), Ours.Projects.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void No_namespaces_of_a_project_use_each_other_in_a_circle() => None(Ours.NamespaceCycles());

    [Fact]
    public void The_tests_that_measure_do_not_need_the_tool() =>
        Assert.DoesNotContain(
            "Serdica.Perf.Cli",
            File.ReadAllText(Repository.PathOf("tests/Serdica.Perf.Suite/Serdica.Perf.Suite.csproj"))
        );

    private static void None(IEnumerable<string> findings)
    {
        var sentences = findings.ToArray();
        if (sentences.Length > 0)
            Assert.Fail(string.Join('\n', sentences));
    }
}

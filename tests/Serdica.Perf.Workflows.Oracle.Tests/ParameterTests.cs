namespace Serdica.Perf.Workflows.Oracle.Tests;

/// <summary>What the inspection says of the parameters of a server, and which of them it calls a problem.</summary>
public sealed class ParameterTests
{
    private const string Banner = "Oracle Database 23ai Free Release 23.0.0.0.0 - Develop, Learn, and Run for Free";

    private static readonly Dictionary<string, string> Good = new()
    {
        ["processes"] = "200",
        ["open_cursors"] = "300",
        ["compatible"] = "23.6.0",
        ["aq_tm_processes"] = "1",
    };

    [Fact]
    public void Server_as_it_is_installed_is_no_problem()
    {
        var findings = Judge(Good, "DEDICATED");

        Assert.DoesNotContain(findings, finding => finding.Problem);
        Assert.Equal(
            ["aq_tm_processes", "Server process", "compatible", "open_cursors", "processes", "Commits"],
            findings.Select(finding => finding.Check)
        );
        Assert.Equal(
            "200, 75 of them in use; the pool of one process of the suite has at most 100 connections.",
            Detail(findings, "processes")
        );
        Assert.StartsWith("they wait for the log", Detail(findings, "Commits"));
    }

    [Theory]
    [InlineData("aq_tm_processes", "0", "aq_tm_processes", "queue monitor is off")]
    [InlineData("compatible", "12.1.0.2.0", "compatible", "ORA-24019")]
    [InlineData("open_cursors", "50", "open_cursors", "ORA-01000")]
    [InlineData("commit_wait", "NOWAIT", "Commits", "commit_wait is NOWAIT: figures are of commits that a crash may lose.")]
    [InlineData("commit_logging", "batch", "Commits", "ALTER SYSTEM RESET commit_logging.")]
    public void Parameter_that_falsifies_figures_is_a_problem_with_a_sentence(string name, string value, string check, string sentence)
    {
        var finding = Judge(new(Good) { [name] = value }, "DEDICATED").Single(finding => finding.Check == check);

        Assert.True(finding.Problem);
        Assert.Contains(sentence, finding.Detail);
    }

    [Theory]
    [InlineData("SHARED")]
    [InlineData("POOLED")]
    public void Session_without_a_server_process_of_its_own_is_a_problem(string process)
    {
        var finding = Judge(Good, process).Single(finding => finding.Check == "Server process");

        Assert.True(finding.Problem);
        Assert.StartsWith($"{process}: ", finding.Detail);
        Assert.Contains(":dedicated", finding.Detail);
    }

    [Theory]
    [InlineData("19.0.0", "its figures are of one without what is newer than 19")]
    [InlineData("23.6.0", "23.6.0")]
    [InlineData("unheard of", "unheard of")]
    public void Older_compatibility_is_said_and_is_no_problem(string value, string sentence)
    {
        var finding = Judge(new(Good) { ["compatible"] = value }, "DEDICATED").Single(finding => finding.Check == "compatible");

        Assert.False(finding.Problem);
        Assert.EndsWith(sentence, finding.Detail.TrimEnd('.'));
    }

    [Fact]
    public void Pool_that_is_larger_than_the_processes_that_are_free_is_said()
    {
        var findings = Judge(new(Good) { ["processes"] = "150" }, "DEDICATED");

        Assert.Contains("ORA-12516", Detail(findings, "processes"));
        Assert.DoesNotContain(findings, finding => finding.Problem);
    }

    [Fact]
    public void What_the_user_may_not_read_is_said_and_is_no_problem()
    {
        var findings = new OracleParameters(new Dictionary<string, string>(), null, null).Judge(100, null).ToList();

        Assert.All(findings, finding => Assert.StartsWith("unknown: this user cannot read V$", finding.Detail));
        Assert.DoesNotContain(findings, finding => finding.Problem);
    }

    private static List<OracleFinding> Judge(Dictionary<string, string> values, string process) =>
        [.. new OracleParameters(values, Banner, process).Judge(100, 75)];

    private static string Detail(List<OracleFinding> findings, string check) => findings.Single(finding => finding.Check == check).Detail;
}

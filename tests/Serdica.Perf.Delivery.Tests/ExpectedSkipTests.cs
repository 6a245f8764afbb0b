namespace Serdica.Perf.Delivery.Tests;

/// <summary>A test that could run and does not is a failure of the whole.</summary>
public sealed partial class ExpectedSkipTests
{
    private const string NoOracleDriver =
        "The Oracle driver is not in this build: make the package Oracle.ManagedDataAccess.Core available.";
    private const string NoEngine =
        "No container engine answers at unix:///var/run/docker.sock: start Docker, or set DOCKER_HOST to where it is.";
    private const string NoPostgreSql =
        "No PostgreSQL server programs (postgres, initdb, pg_ctl) are on PATH or in the usual places: install one.";
    private const string OldPostgreSql = "Only PostgreSQL 9.6, 13.1 is installed: install a PostgreSQL server of version 14 to 18.";
    private const string NoDocumentDb = "DocumentDB is not prepared on this machine: run 'dotnet run eng/documentdb.cs'.";
    private const string NoChromium = "No Chromium was found: install it.";
    private const string NoCitus = "Citus is not installed with any PostgreSQL of this machine: install it.";
    private const string NoIvorySql = "IvorySQL is not installed in /opt/ivorysql*/bin: set SERDICA_PERF_IVORYSQL to the folder.";

    [Theory]
    [InlineData(NoOracleDriver)]
    [InlineData(NoEngine)]
    [InlineData(NoPostgreSql)]
    [InlineData(OldPostgreSql)]
    [InlineData(NoDocumentDb)]
    [InlineData(NoChromium)]
    [InlineData(NoIvorySql)]
    [InlineData(NoCitus)]
    [InlineData("Node is not installed: PL/SQL is not parsed.")]
    [InlineData("Signals are sent by 'kill'.")]
    [InlineData("Only root can give a folder to another user.")]
    public void Skip_is_expected_where_the_machine_lacks_what_it_names_and_a_failure_where_it_does_not(string reason)
    {
        Assert.Null(ExpectedSkip.Fault(reason, ExpectedSkip.On(new Machine(has: false)), allowed: null));
        Assert.StartsWith("this machine has what ", ExpectedSkip.Fault(reason, ExpectedSkip.On(new Machine(has: true)), allowed: null));
    }

    [Theory]
    [InlineData("Too slow today.")]
    [InlineData("no reason given")]
    [InlineData("This is a Debug build, of which a gate judges no objective.")]
    public void Skip_for_a_reason_that_nobody_expects_is_a_failure(string reason) =>
        Assert.StartsWith("no skip is expected", ExpectedSkip.Fault(reason, ExpectedSkip.On(new Machine(has: false)), allowed: null));

    [Fact]
    public void Skip_that_is_not_among_those_a_pipeline_names_is_a_failure()
    {
        var skips = ExpectedSkip.On(new Machine(has: false));

        Assert.Null(ExpectedSkip.Fault(NoEngine, skips, ["oracle", "containers"]));
        Assert.Equal("--may-skip does not name 'containers'", ExpectedSkip.Fault(NoEngine, skips, ["oracle"]));
        Assert.Null(ExpectedSkip.Fault("Backend 'in-memory' hears of no other process.", skips, []));
    }

    [Theory]
    [InlineData(PipelineFile.Azure)]
    [InlineData(PipelineFile.GitHub)]
    public void Pipelines_name_the_skips_that_they_expect(string file)
    {
        var command = Assert.Single(PipelineFile.Read(file).Jobs.SelectMany(job => job.Commands), command =>
            command.Contains("eng/test.cs")
        );

        var names = MaySkip().Match(command).Groups[1].Value.Split(',');

        Assert.Empty(names.Except(ExpectedSkip.On(new Machine(has: false)).Select(skip => skip.Name)));
        Assert.DoesNotContain("postgresql", names);
    }

    /// <summary>Sentences that are constants of the code; the others are in the theory above.</summary>
    [Fact]
    public void Every_sentence_with_which_a_test_skips_is_expected()
    {
        var sentences = Directory
            .EnumerateFiles(Repository.PathOf("tests"), "*.cs", SearchOption.AllDirectories)
            .Where(file => !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}"))
            .Where(file => !file.Contains("Serdica.Perf.Suite"))
            .SelectMany(file => SkipWithSentence().Matches(File.ReadAllText(file)).Select(match => match.Groups[1].Value))
            .Where(sentence => !sentence.Contains("Debug build"))
            .ToArray();

        Assert.NotEmpty(sentences);
        Assert.DoesNotContain(sentences, sentence =>
            Array.TrueForAll([true, false], has =>
                ExpectedSkip.Fault(Holes().Replace(sentence, "x"), ExpectedSkip.On(new Machine(has)), null) is not null
            )
        );
    }

    [GeneratedRegex("--may-skip ([a-z,]+)")]
    private static partial Regex MaySkip();

    [GeneratedRegex("""Assert\.Skip(?:When|Unless)?\([^;]*?\$?"([A-Z][^"]+[.])"\)""", RegexOptions.Singleline)]
    private static partial Regex SkipWithSentence();

    [GeneratedRegex(@"\{[^}]*\}")]
    private static partial Regex Holes();

    /// <summary>Everything, or nothing: on a Windows without programs and without rights.</summary>
    private sealed class Machine(bool has) : TestMachine("")
    {
        public override bool IsLinux => has;

        public override bool IsWindows => !has;

        public override bool IsRoot => has;

        public override int Processors => has ? 2 : 1;

        public override bool LacksPackage(string property) => !has;

        public override bool Names(string variable) => has;

        public override bool HasPostgreSql() => has;

        public override bool HasDocumentDb() => has;

        public override bool HasIvorySql() => has;

        public override bool HasCitus() => has;

        public override bool HasChromium() => has;

        public override bool HasProgram(string name) => has;

        public override bool HasContainers() => has;
    }
}

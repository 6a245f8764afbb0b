using System.Data;

namespace Serdica.Perf.Workflows.Oracle.Tests;

/// <summary>What makes a statement right for a driver that binds by position, and nobody can try here.</summary>
public sealed partial class StatementTests
{
    public static TheoryData<string> StatementNames => [.. Scripts.Statements.Select(statement => statement.Script)];

    public static TheoryData<string> ScriptNames => Scripts.Names;

    [Theory]
    [MemberData(nameof(StatementNames))]
    public void Each_bind_stands_once_and_in_the_order_of_the_parameters(string name)
    {
        var statement = Scripts.Statements.Single(statement => statement.Script == name);

        var binds = Binds(Scripts.All[name]);

        Assert.Equal(statement.Binds.Select(bind => bind.Name), binds);
    }

    [Fact]
    public void Scripts_without_a_statement_have_no_binds()
    {
        var declared = Scripts.Statements.Select(statement => statement.Script).ToHashSet();

        foreach (var name in Scripts.All.Names.Where(name => !declared.Contains(name)))
            Assert.Empty(Binds(Scripts.All[name]));
    }

    [Fact]
    public void Bytes_on_the_way_out_have_a_size_and_nothing_goes_both_ways()
    {
        foreach (var bind in Scripts.Statements.SelectMany(statement => statement.Binds))
        {
            Assert.Contains(bind.Direction, new[] { ParameterDirection.Input, ParameterDirection.Output });
            if (bind is { Direction: ParameterDirection.Output, Type: DbType.Binary or DbType.String })
                Assert.InRange(bind.Size, 1, 32_000);
        }
    }

    [Fact]
    public void Types_are_those_that_every_driver_maps_and_names_are_no_reserved_words()
    {
        foreach (var bind in Scripts.Statements.SelectMany(statement => statement.Binds))
        {
            Assert.Contains(bind.Type, new[] { DbType.Binary, DbType.Int64, DbType.String });
            Assert.StartsWith("p_", bind.Name);
        }
    }

    [Theory]
    [MemberData(nameof(ScriptNames))]
    public void Script_ends_as_the_server_wants_it(string name)
    {
        var text = Scripts.All[name];

        Assert.DoesNotContain('\r', text);
        Assert.DoesNotMatch(@"(?m)^\s*/\s*$", text);
        if (IsBlock(text))
            Assert.EndsWith(";", text);
        else
            Assert.False(text.EndsWith(';'), "A plain statement must not end in a semicolon.");
        Assert.DoesNotContain("{wf}", text);
    }

    [Fact]
    public void Call_names_the_parameters_of_its_procedure_in_their_order()
    {
        var spec = Scripts.All["package-spec"];
        var calls = 0;
        foreach (var statement in Scripts.Statements)
        {
            if (Call().Match(Scripts.All[statement.Script]) is not { Success: true } call)
                continue;
            calls++;
            var procedure = Regex.Match(spec, $@"PROCEDURE {call.Groups[1].Value}(\s*\((?<p>[^)]*)\))?;");
            Assert.True(procedure.Success, $"{call.Groups[1].Value} is not in package-spec.sql.");
            var parameters = Parameter().Matches(procedure.Groups["p"].Value);
            Assert.Equal(statement.Binds.Select(bind => bind.Name), parameters.Select(match => match.Groups[1].Value));
            Assert.Equal(
                statement.Binds.Select(bind => bind.Direction == ParameterDirection.Output),
                parameters.Select(match => match.Groups[2].Value == "OUT")
            );
            Assert.Equal(
                statement.Binds.Select(bind =>
                    bind.Type switch
                    {
                        DbType.Binary => "RAW",
                        DbType.String => "VARCHAR2",
                        _ => "NUMBER",
                    }
                ),
                parameters.Select(match => match.Groups[3].Value)
            );
        }

        Assert.Equal(10, calls);
    }

    [Fact]
    public void Body_has_every_procedure_of_the_spec_with_the_same_parameters()
    {
        var body = Scripts.All["package-body"];
        var procedures = Regex
            .Matches(Scripts.Code(Scripts.All["package-spec"]), @"PROCEDURE \w+(\s*\([^)]*\))?(?=;)")
            .Select(match => Flat(match.Value))
            .ToList();

        Assert.Equal(10, procedures.Count);
        foreach (var procedure in procedures)
            Assert.Contains(Flat($"{procedure} IS"), Flat(body));
    }

    [Fact]
    public void Every_counter_is_asked_for_by_its_name_and_no_other()
    {
        var counters = OracleNames.Counters.Select(counter => counter.Server).Order(StringComparer.Ordinal);

        foreach (var script in (string[])["statistics-counters", "statistics-counters-instance"])
            Assert.Equal(counters, Literals(Scripts.All[script]).Order(StringComparer.Ordinal));
        Assert.Equal(
            OracleNames.Times.Select(time => time.Server).Order(StringComparer.Ordinal),
            Literals(Scripts.All["statistics-times"]).Order(StringComparer.Ordinal)
        );
    }

    /// <summary>By the list of what belongs to the pack in "Oracle Database Licensing Information".</summary>
    [Fact]
    public void Nothing_is_read_that_needs_the_Diagnostics_Pack()
    {
        foreach (var name in Scripts.All.Names)
            Assert.DoesNotMatch(@"(?i)active_session_history|dba_hist_|dba_addm_|dba_advisor_|dbms_workload", Scripts.All[name]);
    }

    [Fact]
    public void Top_statements_leave_out_what_the_statistics_ask_of_the_store()
    {
        const string Mark = "/* serdica-perf-statistics */";
        var asked = Scripts.All.Names.Where(name =>
            name is "backlog" || (name.StartsWith("statistics-") && Scripts.All[name].Contains("SERDICA_WF"))
        );

        foreach (var name in asked.Where(name => name != "statistics-statements"))
            Assert.Contains(Mark, Scripts.All[name]);
        Assert.Contains("INSTR(sql_text, 'serdica-perf-statistics') = 0", Scripts.All["statistics-statements"]);
    }

    [Fact]
    public void Compile_errors_are_those_of_the_part_that_was_just_compiled()
    {
        var text = Scripts.All["compile-errors"];

        Assert.Contains("type = :p_type", text);
        Assert.Contains("attribute = 'ERROR'", text);
    }

    [Fact]
    public void Every_LOB_is_cached()
    {
        var tables = Regex.Matches(Scripts.All["migration-001"], @"CREATE TABLE (\w+) \((.*?)'\);", RegexOptions.Singleline);
        var lobs = 0;
        foreach (var table in tables.Select(match => match.Groups[2].Value))
        {
            var columns = Regex.Matches(table, @"(\w+)\s+BLOB").Select(match => match.Groups[1].Value).ToList();
            lobs += columns.Count;
            if (columns.Count > 0)
                Assert.EndsWith($") LOB ({string.Join(", ", columns)}) STORE AS (CACHE)", table);
        }

        Assert.Equal(4, lobs);
        Assert.Contains("storage_clause     => 'LOB (user_data) STORE AS (CACHE)'", Scripts.All["create-queues"]);
    }

    /// <summary>Otherwise the server does not see that the index fits, and each batch of a purge reads every instance.</summary>
    [Fact]
    public void Purge_asks_for_closed_instances_by_the_expression_of_their_index()
    {
        var index = Regex.Match(Scripts.All["migration-001"], @"SERDICA_WF_instance_closed ON SERDICA_WF_instance \(\((.*?)\)\)'");
        var condition = Regex.Match(
            Scripts.All["package-body"],
            @"INDEX_ASC\(c SERDICA_WF_instance_closed\).*?WHERE (.*?) < l_limit",
            RegexOptions.Singleline
        );

        Assert.True(index.Success && condition.Success);
        Assert.Equal(index.Groups[1].Value, condition.Groups[1].Value.Replace("c.", ""));
        Assert.Contains(">= 2 ", index.Groups[1].Value);
        Assert.Contains("k_closed CONSTANT PLS_INTEGER := 2;", Scripts.All["package-body"]);
    }

    [Fact]
    public void Small_redo_logs_are_a_problem_and_what_to_do_about_them_is_said()
    {
        var small = OracleRedoLogs.Judge(new OracleRedoLogs(2, 10 << 20));

        Assert.True(small.Problem);
        Assert.StartsWith("2 x 10 MB: ", small.Detail);
        Assert.Contains("ADD LOGFILE", small.Detail);
        Assert.False(OracleRedoLogs.Judge(new OracleRedoLogs(3, 200 << 20)).Problem);
        Assert.False(OracleRedoLogs.Judge(null).Problem);
    }

    [Fact]
    public void Nothing_in_the_package_commits_or_rolls_back()
    {
        var code = Scripts.Code(Scripts.All["package-body"]).ToUpperInvariant();

        Assert.DoesNotMatch(@"\b(COMMIT|ROLLBACK|SAVEPOINT|AUTONOMOUS_TRANSACTION)\b", code.Replace("ON_COMMIT", ""));
        Assert.DoesNotContain("DBMS_AQADM", code);
    }

    [Fact]
    public void Operations_of_the_batch_are_those_of_the_package()
    {
        var known = Regex.Matches(Scripts.All["package-body"], @"WHEN '(\w+)' THEN").Select(match => match.Groups[1].Value).ToHashSet();

        Assert.Superset(
            new HashSet<string>
            {
                "start",
                "child",
                "copy",
                "update",
                "send",
                "publish",
                "withdraw",
                "forget",
                "dead",
                "requeue",
                "extend",
                "message",
            },
            known
        );
        Assert.Superset(new HashSet<string> { "instance", "signal", "letter" }, known);
    }

    private static bool IsBlock(string text) =>
        text.StartsWith("BEGIN") || text.StartsWith("DECLARE") || text.StartsWith("CREATE OR REPLACE PACKAGE");

    /// <summary>Colons in literals and comments are none, and := is an assignment.</summary>
    private static IEnumerable<string> Binds(string text) =>
        Bind().Matches(Literal().Replace(Scripts.Code(text), "''")).Select(match => match.Groups[1].Value);

    private static IEnumerable<string> Literals(string text) => Literal().Matches(text).Select(match => match.Value.Trim('\''));

    private static string Flat(string text) => Regex.Replace(Regex.Replace(text, @"\s+", " "), @"\s*([(),])\s*", "$1");

    [GeneratedRegex("'[^']*'")]
    private static partial Regex Literal();

    [GeneratedRegex(@":([A-Za-z_]\w*)")]
    private static partial Regex Bind();

    [GeneratedRegex(@"^BEGIN\s+SERDICA_WF\.(\w+)")]
    private static partial Regex Call();

    [GeneratedRegex(@"(p_\w+)\s+(IN|OUT)\s+(\w+)")]
    private static partial Regex Parameter();
}

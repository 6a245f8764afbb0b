namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// How the scripts of the backend reach IvorySQL: as they are shipped, apart from the rules. Oracle's own views are answered
/// here.
/// </summary>
internal static partial class StandInScripts
{
    /// <summary>Types of the columns that a query reads: the driver knows those of PostgreSQL only.</summary>
    private static readonly Dictionary<string, string> Columns = new()
    {
        ["find"] = "bbbnnnnnb",
        ["find-by-key"] = "bbbnnnnnb",
        ["large-instance"] = "b",
        ["large-signal"] = "b",
        ["dead-letters"] = "bbnnnnbb",
        ["census"] = "nnnnnnnnnnn",
        ["census-definitions"] = "bnnnb",
        ["backlog"] = "tnn",
        ["lock-schema"] = "nt",
        ["schema-version"] = "nt",
    };

    /// <summary>Executes what Npgsql would take apart at its semicolons.</summary>
    public const string Run = "create function run(p_text text) returns void language plpgsql as $$ begin execute p_text; end $$";

    /// <summary>What IvorySQL lacks, one statement after the other.</summary>
    public static IEnumerable<string> Shims
    {
        get
        {
            using var reader = new StreamReader(
                typeof(StandInScripts).Assembly.GetManifestResourceStream("Serdica.Perf.Compliance.Tests.OracleStandIn.ivorysql.sql")!
            );
            return reader.ReadToEnd().ReplaceLineEndings("\n").Split("\n/\n");
        }
    }

    public static async Task RunAsync(NpgsqlDataSource source, string text, CancellationToken cancellationToken)
    {
        await using var command = source.CreateCommand("select run($1)");
        command.Parameters.AddWithValue(text);
        await command.ExecuteNonQueryAsync(cancellationToken);
    }

    /// <summary>The queue's max_retries, as the backend's own script asks for it.</summary>
    public static int MaxRetries(string createQueues) => int.Parse(Retries().Match(createQueues).Groups[1].Value, null);

    /// <summary>What a call of the package is sent as.</summary>
    public static string Call(string prefix, string procedure, IReadOnlyList<IDataParameter> binds)
    {
        var results = Results(binds.Where(bind => bind.Direction == ParameterDirection.Output).Select(bind => bind.DbType));
        var places = Range(1, binds.Count - results.Count).Select(place => $"${place}");

        // One that gives nothing out is called all the same.
        var columns = results.Count == 0 ? "n1" : string.Join(", ", results);
        var call = $"select {columns} from {prefix}_call_{procedure}({string.Join(", ", places)})";

        // By this comment the proxy of the fault tier knows a statement whose commit it may cut.
        return procedure == "write_batch" ? $"{call} /* insert into */" : call;
    }

    /// <summary>A query, or a statement with binds.</summary>
    public static string Statement(string script, string text)
    {
        var place = 0;
        var bound = Bind().Replace(text, _ => $"${++place}");
        if (!Columns.TryGetValue(script, out var types))
            return bound;
        var columns = types.Select(
            (type, i) =>
                $"c{i}::pg_catalog."
                + type switch
                {
                    'b' => "bytea",
                    'n' => "numeric",
                    _ => "text",
                }
        );
        return $"select {string.Join(", ", columns)} from ({bound}) q ({string.Join(", ", types.Select((_, i) => $"c{i}"))})";
    }

    /// <summary>The procedures of the package that the backend calls.</summary>
    public static IEnumerable<(string Name, OracleStatement Statement)> Procedures(OracleScripts scripts) =>
        from statement in typeof(OracleStatement).GetFields().Select(field => field.GetValue(null)).OfType<OracleStatement>()
        let name = CallOf(scripts[statement.Script])
        where name is not null
        select (name!, statement);

    /// <summary>For each procedure a function that returns what it gives out, in types that the driver knows.</summary>
    public static IEnumerable<string> Calls(OracleScripts scripts, string prefix) =>
        from procedure in Procedures(scripts)
        let call = procedure.Name
        let given = procedure.Statement.Binds.Where(bind => bind.Direction == ParameterDirection.Input)
        let taken = procedure.Statement.Binds.Where(bind => bind.Direction == ParameterDirection.Output).ToList()
        let results = Results(taken.Select(bind => bind.Type))
        select $"""
            create or replace function {prefix}_call_{call}({string.Join(", ", given.Select(bind => $"{bind.Name} {Type(bind.Type)}"))})
            returns call_result language plisql as $$
            declare
                r call_result;
                {string.Concat(taken.Select((bind, i) => $"v_{results[i]} {Type(bind.Type)}; "))}
            begin
                {prefix}.{call}({string.Join(", ", given.Select(bind => bind.Name).Concat(results.Select(name => $"v_{name}")))});
                {string.Concat(results.Select(name => $"r.{name} := v_{name}; "))}
                return r;
            end;
            $$
            """;

    /// <summary>The procedure that a block calls and does nothing else; null for any other text.</summary>
    public static string? CallOf(string text) => CallPattern().Match(text) is { Success: true } call ? call.Groups[1].Value : null;

    /// <summary>The rows of a view of Oracle's; null for what IvorySQL answers. One that the user may not read is not there.</summary>
    public static object?[][]? View(string script, bool hasViews, object? value) =>
        (script, hasViews) switch
        {
            ("statistics-counters-instance", true) =>
            [["user commits", 7m], ["redo size", 4096m], ["redo synch time", 12m]],
            ("statistics-times-instance", true) =>
            [["DB CPU", 2500m], ["DB time", 7500m]],
            ("statistics-waits-instance", true) => [["log file sync", "Commit", 3m, 1500m]],
            ("statistics-queues", true) => [["signal", 5m, 4m, 3m, 2m, 1m, 0m]],
            ("statistics-statements", true) => [["BEGIN claim_batch; END;", 10m, 25000m, 9m, 5000m, 300m]],
            ("statistics-sessions" or "statistics-processes", true) => [[5m]],
            ("compile-errors", _) => [],
            ("inspect-version", _) => [["stand-in"]],
            ("inspect-container", _) => [["STAND-IN"]],
            ("inspect-character-set", _) => [["UTF8"]],
            ("inspect-time-zone", _) => [["+00:00"]],
            ("inspect-package", _) => [[value is "DBMS_AQ" or "DBMS_AQADM" ? 1m : 0m]],
            ("inspect-redo-logs", _) => [[3m, 268435456m]],
            ("inspect-server-process", _) => [["DEDICATED"]],
            _ when script.StartsWith("statistics-") || script == "inspect-parameter" =>
                throw new StandInException(942, "table or view does not exist"),
            _ => null,
        };

    private static List<string> Results(IEnumerable<DbType> types)
    {
        var (numbers, bytes) = (0, 0);
        return [.. types.Select(type => type == DbType.Binary ? $"b{++bytes}" : $"n{++numbers}")];
    }

    private static string Type(DbType type) =>
        type switch
        {
            DbType.Binary => "raw",
            DbType.String => "varchar2",
            _ => "number",
        };

    [GeneratedRegex(@"max_retries\s*=>\s*(\d+)")]
    private static partial Regex Retries();

    [GeneratedRegex(@":p_\w+")]
    private static partial Regex Bind();

    [GeneratedRegex(@"^BEGIN\s+\w+\.(\w+)\s*(\([^)]*\))?;\s*END;$")]
    private static partial Regex CallPattern();
}

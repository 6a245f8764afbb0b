namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>One construct that IvorySQL refuses or misreads, and what it accepts in its place.</summary>
/// <param name="Replace">From the whole text, what becomes of a match.</param>
/// <param name="Counts">In which scripts it stands, and how often: <c>package-body 3, drop 1</c>. In no other.</param>
internal sealed record IvorySqlRule(string Name, string Pattern, Func<string, MatchEvaluator> Replace, string Counts)
{
    /// <summary>DBMS_AQ and DBMS_AQADM, by "PL/SQL Packages and Types Reference".</summary>
    private static readonly Dictionary<string, int> Constants = new()
    {
        ["BROWSE"] = 1,
        ["BUFFERED"] = 2,
        ["FIRST_MESSAGE"] = 1,
        ["IMMEDIATE"] = 1,
        ["NEVER"] = -1,
        ["NEXT_MESSAGE"] = 3,
        ["NONE"] = 0,
        ["NORMAL_QUEUE"] = 0,
        ["NO_DELAY"] = 0,
        ["NO_WAIT"] = 0,
        ["ON_COMMIT"] = 2,
        ["REMOVE"] = 3,
        ["REMOVE_NODATA"] = 4,
    };

    /// <summary>Errors that IvorySQL raises itself; those of queues are Q and the last four digits, as ivorysql.sql raises them.</summary>
    private static readonly Dictionary<string, string> States = new()
    {
        ["942"] = "42P01",
        ["955"] = "42P07' OR SQLSTATE '23505' OR SQLSTATE '42710", // the others where two sessions create at the same moment
        ["1430"] = "42701",
        ["4043"] = "42704",
    };

    private static readonly Dictionary<string, string> Types = new()
    {
        ["id"] = "RAW(16)",
        ["bytes"] = "RAW(32767)",
        ["text"] = "VARCHAR2(32767)",
    };

    /// <summary>In their order. The last one stands for whatever the others have left: it applies nowhere.</summary>
    public static IReadOnlyList<IvorySqlRule> All { get; } =
    [
        new("SUBTYPE", @"\n\s*SUBTYPE t_\w+\s+IS [^;]+;", "", "package-body 3"),
        new("type of a SUBTYPE", @"\bt_(id|bytes|text)\b", _ => match => Types[match.Groups[1].Value], "package-body 47"),
        new("INDEX BY table", @"\n\s*TYPE t_seen IS TABLE OF BOOLEAN INDEX BY VARCHAR2\(32\);", "", "package-body 1"),
        new("variable of an INDEX BY table", @"\bt_seen;", "text := ',';", "package-body 1"),
        new("EXISTS of an INDEX BY table", @"l_seen\.EXISTS\((RAWTOHEX\(\w+\))\)", "pg_catalog.strpos(l_seen, $1) > 0", "package-body 1"),
        new("element of an INDEX BY table", @"l_seen\((RAWTOHEX\(\w+\))\) := TRUE", "l_seen := l_seen || $1 || ','", "package-body 1"),
        new("TREAT", @"TREAT\(l_items\.get\(i\) AS JSON_OBJECT_T\)", "pg_catalog.jsonb_array_element(l_items, i)", "package-body 1"),
        new("methods of JSON_ARRAY_T", @"JSON_ARRAY_T\.parse\(|l_items\.get_size\b", _ => ArrayMethod, "package-body 2"),
        new("methods of JSON_OBJECT_T", @"\b([lp]_item)\.get_(String|Number)\(", "json_$2($1, ", "package-body 23"),
        new("record types of DBMS_AQ", @"\bDBMS_AQ\.(\w+_T)\b", "DBMS_AQ_$1", "package-body 8"),
        new("constants of DBMS_AQ", @"\bDBMS_AQ(?:ADM)?\.([A-Z_]+)\b(?!\()", _ => Constant, "package-body 24, create-queues 2"),
        new("DBMS_LOB.CALL", @"\bDBMS_LOB\.CALL\b", "12", "package-body 1"),
        new("SYSTIMESTAMP, which is the time of the statement there", @"\bSYSTIMESTAMP\b(?!, 'TZH)", "clock_timestamp()::timestamptz",
            "package-body 1"),
        new("SELECT INTO without STRICT", @"(?<!\bRETURNING\b[^;]*)\bINTO\b(?=\s+[lp]_)", "INTO STRICT",
            "package-body 19, create-queues 2"),
        new("JSON_VALUE of a BLOB", @"JSON_VALUE\((c\.content) FORMAT JSON, '\$\.progress\.(\w+)'\)",
            "(pg_catalog.convert_from($1::bytea, 'UTF8')::pg_catalog.jsonb #>> '{progress,$2}')", "package-body 1"),
        new("SQL%ROWCOUNT", "SQL%ROWCOUNT", "(CASE WHEN FOUND THEN 1 ELSE 0 END)", "package-body 6"),
        new("DUP_VAL_ON_INDEX", @"\bDUP_VAL_ON_INDEX\b", "UNIQUE_VIOLATION", "package-body 3, insert-lock 1"),
        new("EXECUTE IMMEDIATE", "EXECUTE IMMEDIATE", "EXECUTE",
            "create-lock 1, migration-001 1, migration-002 1, coalesce-indexes 3, drop 1"),
        new("FOR UPDATE OF a column", @"FOR UPDATE OF (\w+)\.\w+", "FOR UPDATE OF $1", "package-body 1"),
        new("storage of a LOB", @"\) LOB \([\w, ]+\) STORE AS \(CACHE\)", ")", "migration-001 3"),
        new("DROP TABLE PURGE", @"(DROP TABLE \w+) PURGE", "$1", "drop 7"),
        new("ALTER INDEX COALESCE", @"ALTER INDEX (\w+) COALESCE", "COMMENT ON INDEX $1 IS NULL", "coalesce-indexes 3"),
        new("locator of a LOB", @"DBMS_LOB\.WRITEAPPEND\(lob_loc => l_content,[^;]+;", WriteBack, "package-body 1"),
        new("call of a function with OUT parameters", @"\b(take_by_id|dequeue|start_instance|publish_signal)\((\w[\w.]*),",
            "$1((SELECT $2),", "package-body 9"),
        new("function with OUT parameters that does not end with RETURN", @"(?<=END LOOP;)(?=\s+END start_instance;)", " RETURN NULL;",
            "package-body 1"),
        new("use of an EXCEPTION", @"(?<=\b(?:WHEN|OR) )e_\w+", State,
            "package-body 3, create-lock 1, migration-001 1, migration-002 1, drop 3"),
        new("declaration of an EXCEPTION", @"\n\s*(e_\w+) EXCEPTION;\s+PRAGMA EXCEPTION_INIT\(\1, -\d+\);", "",
            "package-body 2, create-lock 1, migration-001 1, migration-002 1, drop 3"),
        new("loop over a query", @"\bFOR (\w) IN (\((?:(?!\bEND LOOP;).)*)\bEND LOOP;",
            "DECLARE $1 RECORD; BEGIN FOR $1 IN $2END LOOP; END;", "package-body 8"),
        new("ROWNUM", " WHERE ROWNUM = 1", "", "census 1"),
        new("construct without a rule",
            @"\b(?:BULK COLLECT|FORALL|MERGE INTO|CONNECT BY|PIPELINED|PRAGMA|TREAT|SUBTYPE|ROWNUM|EXCEPTION;)|\bIS (?:RECORD|TABLE|REF)\b"
                + @"|\bSQL%|%(?:ROW)?TYPE\b|\.get_\w+|\bJSON_\w+_T\.|\bDBMS_(?!AQ|LOB\b)\w+|\bUTL_(?!RAW\b)\w+|STORE AS \((?!CACHE\)')",
            "$0", ""),
    ];

    private IvorySqlRule(string name, string pattern, string replacement, string counts)
        : this(name, pattern, _ => match => match.Result(replacement), counts) { }

    /// <summary>The text of a shipped script as IvorySQL executes it.</summary>
    /// <exception cref="InvalidOperationException">A rule applies more or less often.</exception>
    public static string Translate(string script, string text, bool isShipped = true)
    {
        foreach (var rule in All)
            text = rule.Apply(script, text, isShipped);
        return text;
    }

    private string Apply(string script, string text, bool isShipped)
    {
        var expected = Regex.Match(Counts, $@"(?:^|, ){Regex.Escape(script)} (\d+)") is { Success: true } count
            ? int.Parse(count.Groups[1].Value, CultureInfo.InvariantCulture)
            : 0;
        var times = Regex.Count(text, Pattern, RegexOptions.Singleline);
        if (isShipped && times != expected)
        {
            throw new InvalidOperationException(
                Invariant($"The rule '{Name}' applies {times} times to {script}.sql, and {expected} times are expected. Look whether ")
                    + "IvorySQL accepts what is new, and whether it means the same there; then correct the count, or add a rule."
            );
        }

        return Regex.Replace(text, Pattern, Replace(text), RegexOptions.Singleline);
    }

    private static string ArrayMethod(Match match) =>
        match.Value.StartsWith("JSON") ? "json_parse(" : "pg_catalog.jsonb_array_length(l_items)";

    private static string Constant(Match match) => Constants[match.Groups[1].Value].ToString(CultureInfo.InvariantCulture);

    /// <summary>By the number that the script gives the exception.</summary>
    private static MatchEvaluator State(string text) =>
        match =>
        {
            var number = Regex.Match(text, $@"EXCEPTION_INIT\({match.Value}, -(\d+)\)").Groups[1].Value;
            return $"SQLSTATE '{States.GetValueOrDefault(number) ?? $"Q{number[^4..]}"}'";
        };

    /// <summary>A BLOB is a value there: what was appended to it goes back into its row.</summary>
    private static MatchEvaluator WriteBack(string text)
    {
        var table = Regex.Match(text, @"PACKAGE BODY (\w+)").Groups[1].Value;
        return match =>
            $"""
                {match.Value}
                CASE p_target
                  WHEN 'instance' THEN UPDATE {table}_instance SET content = l_content WHERE instance_id = p_instance_id;
                  WHEN 'signal' THEN
                    UPDATE {table}_large SET content = l_content WHERE instance_id = p_instance_id AND signal_id = p_signal_id;
                  ELSE UPDATE {table}_dead_letter SET content = l_content WHERE signal_id = p_signal_id;
                END CASE;
                """;
    }
}

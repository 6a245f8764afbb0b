namespace Serdica.Perf.Workflows.Oracle.Tests;

/// <summary>
/// A parser knows no packages. These tables have the names of DBMS_AQ, DBMS_AQADM and DBMS_LOB that the scripts may use,
/// as the vendor documents them; a misspelt one would show on the first real server only.
/// </summary>
public sealed partial class QueueVocabularyTests
{
    private static readonly Dictionary<string, string[]> Parameters = new()
    {
        ["DBMS_AQ.ENQUEUE"] = ["queue_name", "enqueue_options", "message_properties", "payload", "msgid"],
        ["DBMS_AQ.DEQUEUE"] = ["queue_name", "dequeue_options", "message_properties", "payload", "msgid"],
        ["DBMS_AQADM.CREATE_QUEUE_TABLE"] =
        [
            "queue_table",
            "queue_payload_type",
            "storage_clause",
            "sort_list",
            "multiple_consumers",
            "message_grouping",
            "comment",
            "auto_commit",
            "compatible",
            "secure",
        ],
        ["DBMS_AQADM.CREATE_QUEUE"] =
        [
            "queue_name",
            "queue_table",
            "queue_type",
            "max_retries",
            "retry_delay",
            "retention_time",
            "dependency_tracking",
            "comment",
        ],
        ["DBMS_AQADM.START_QUEUE"] = ["queue_name", "enqueue", "dequeue"],
        ["DBMS_AQADM.DROP_QUEUE_TABLE"] = ["queue_table", "force"],
        ["DBMS_LOB.CREATETEMPORARY"] = ["lob_loc", "cache", "dur"],
        ["DBMS_LOB.WRITEAPPEND"] = ["lob_loc", "amount", "buffer"],
    };

    private static readonly Dictionary<string, string[]> Fields = new()
    {
        ["DBMS_AQ.ENQUEUE_OPTIONS_T"] = ["visibility", "relative_msgid", "sequence_deviation", "delivery_mode"],
        ["DBMS_AQ.MESSAGE_PROPERTIES_T"] =
        [
            "priority",
            "delay",
            "expiration",
            "correlation",
            "attempts",
            "exception_queue",
            "enqueue_time",
            "state",
            "original_msgid",
            "sender_id",
            "recipient_list",
            "delivery_mode",
        ],
        ["DBMS_AQ.DEQUEUE_OPTIONS_T"] =
        [
            "dequeue_mode",
            "navigation",
            "visibility",
            "wait",
            "msgid",
            "correlation",
            "deq_condition",
            "consumer_name",
            "delivery_mode",
        ],
    };

    private static readonly HashSet<string> Constants =
    [
        "DBMS_AQ.ON_COMMIT",
        "DBMS_AQ.IMMEDIATE",
        "DBMS_AQ.BUFFERED",
        "DBMS_AQ.BROWSE",
        "DBMS_AQ.NEVER",
        "DBMS_AQ.NO_DELAY",
        "DBMS_AQ.FIRST_MESSAGE",
        "DBMS_AQ.NO_WAIT",
        "DBMS_AQ.REMOVE",
        "DBMS_AQ.REMOVE_NODATA",
        "DBMS_AQADM.NORMAL_QUEUE",
        "DBMS_AQADM.NONE",
        "DBMS_LOB.CALL",
    ];

    // The members of JSON_OBJECT_T and JSON_ARRAY_T, and the functions of UTL_RAW, that the package uses.
    private static readonly HashSet<string> Others =
    [
        "JSON_ARRAY_T.parse",
        "get",
        "get_size",
        "get_String",
        "get_Number",
        "UTL_RAW.LENGTH",
        "UTL_RAW.SUBSTR",
        "UTL_RAW.CONCAT",
        "UTL_RAW.CAST_TO_RAW",
        "UTL_RAW.CAST_TO_VARCHAR2",
    ];

    // Called by place, as they are documented, or without parameters.
    private static readonly HashSet<string> Functions = ["DBMS_LOB.GETLENGTH", "DBMS_LOB.SUBSTR"];

    private static readonly string Code = string.Join('\n', Scripts.All.Names.Select(name => Scripts.Code(Scripts.All[name])));

    [Fact]
    public void Every_name_of_these_packages_is_in_the_tables()
    {
        var used = Name().Matches(Code).Select(match => match.Value).ToHashSet();

        var known = Parameters.Keys.Concat(Fields.Keys).Concat(Constants).Concat(Functions).ToHashSet();
        Assert.Empty(used.Except(known));
        Assert.Contains("DBMS_AQ.DEQUEUE", used);
    }

    [Fact]
    public void Every_name_of_documents_and_bytes_is_in_the_table()
    {
        var used = OtherName().Matches(Code).Select(match => match.Groups[1].Value).ToHashSet();

        Assert.Equal(Others, used);
    }

    [Fact]
    public void Bytes_never_go_through_NVL_which_PLSQL_has_not_for_RAW() =>
        Assert.DoesNotMatch(@"NVL\((p|l)_(content|payload|bytes|chunk|detail|message_id|instance_id|signal_id)\b", Code);

    [Fact]
    public void Every_named_parameter_is_one_of_its_procedure()
    {
        var seen = new HashSet<string>();
        foreach (Match call in NamedCall().Matches(Code))
        {
            var procedure = call.Groups[1].Value;
            seen.Add(procedure);
            foreach (Match parameter in NamedParameter().Matches(call.Groups[2].Value))
                Assert.Contains(parameter.Groups[1].Value, Parameters[procedure]);
        }

        Assert.Equal(Parameters.Keys.ToHashSet(), seen);
    }

    [Fact]
    public void Every_record_field_is_one_of_its_type()
    {
        var assigned = 0;
        foreach (Match declaration in RecordVariable().Matches(Code))
        {
            var uses = Regex.Matches(Code, $@"\b{declaration.Groups[1].Value}\.(\w+)");
            Assert.NotEmpty(uses);
            foreach (Match use in uses)
                assigned += Fields.Values.Any(fields => fields.Contains(use.Groups[1].Value))
                    ? 1
                    : throw new KeyNotFoundException(use.Value);
        }

        var dequeue = Regex.Matches(Code, @"l_options\.(\w+)\s*:=").Select(match => match.Groups[1].Value).ToList();
        Assert.All(dequeue, field => Assert.Contains(field, Fields["DBMS_AQ.DEQUEUE_OPTIONS_T"]));
        Assert.All(Regex.Matches(Code, @"l_properties\.(\w+)").Select(match => match.Groups[1].Value), field =>
            Assert.Contains(field, Fields["DBMS_AQ.MESSAGE_PROPERTIES_T"])
        );
        Assert.True(assigned > 5);
    }

    [Fact]
    public void Every_dequeue_starts_at_the_first_message_and_never_waits_for_ever()
    {
        Assert.Equal(2, Regex.Count(Code, @"DBMS_AQ\.DEQUEUE\("));
        foreach (var dequeue in (string[])[Function("dequeue"), Function("dequeue_hint")])
        {
            Assert.Single(Regex.Matches(dequeue, @"DBMS_AQ\.DEQUEUE\("));
            Assert.Contains("l_options.navigation := DBMS_AQ.FIRST_MESSAGE;", dequeue);
            Assert.Contains("l_options.wait := p_seconds;", dequeue);
        }

        Assert.DoesNotContain("FOREVER", Code);
    }

    [Fact]
    public void What_carries_work_waits_for_the_commit_and_hints_touch_no_transaction()
    {
        foreach (var durable in (string[])[Function("enqueue"), Function("dequeue")])
        {
            Assert.Contains("l_options.visibility := DBMS_AQ.ON_COMMIT;", durable);
            Assert.DoesNotContain("delivery_mode", durable);
        }

        // The server refuses buffered messages with any other visibility (ORA-25298), and with a delay.
        foreach (var buffered in (string[])[Procedure("notify_work"), Function("dequeue_hint")])
        {
            Assert.Contains("l_options.visibility := DBMS_AQ.IMMEDIATE;", buffered);
            Assert.Contains("l_options.delivery_mode := DBMS_AQ.BUFFERED;", buffered);
            Assert.DoesNotContain("delay", buffered);
        }

        Assert.DoesNotMatch(@"\b(FROM|INTO)\s+SERDICA_WF", Procedure("notify_work") + Procedure("await_work"));
    }

    /// <summary>A process that took its own hint would keep it from those whom it is for.</summary>
    [Fact]
    public void Hints_of_the_same_process_stay_where_they_are()
    {
        var hear = Procedure("await_work");

        Assert.Contains("'tab.corrid <> ''' || RAWTOHEX(p_sender) || ''''", hear);
        Assert.Equal(2, Regex.Count(hear, @"dequeue_hint\(DBMS_AQ\.REMOVE, NULL, l_others, "));
        Assert.Contains("l_properties.correlation := RAWTOHEX(p_sender);", Procedure("notify_work"));
    }

    private static string Function(string name) => Part("FUNCTION", name);

    private static string Procedure(string name) => Part("PROCEDURE", name);

    private static string Part(string kind, string name)
    {
        var body = Scripts.Code(Scripts.All["package-body"]);
        return body[body.IndexOf($"{kind} {name}(")..body.IndexOf($"END {name};")];
    }

    [GeneratedRegex(@"\b((?:UTL_RAW|JSON_ARRAY_T|JSON_OBJECT_T)\.\w+|(?<=items?\.)get\w*)")]
    private static partial Regex OtherName();

    [GeneratedRegex(@"\bDBMS_(AQ|AQADM|LOB)\.\w+")]
    private static partial Regex Name();

    [GeneratedRegex(@"(DBMS_(?:AQ|AQADM|LOB)\.\w+)\(([^;]*=>[^;]*)\);")]
    private static partial Regex NamedCall();

    [GeneratedRegex(@"(\w+)\s*=>")]
    private static partial Regex NamedParameter();

    [GeneratedRegex(@"(l_\w+)\s+DBMS_AQ\.\w+_T;")]
    private static partial Regex RecordVariable();
}

namespace Serdica.Perf.Workflows.Oracle.Tests;

/// <summary>
/// Which rows the package's statements touch, and what its answers are made of. The package is executed only where Oracle or
/// IvorySQL is; elsewhere a condition that is lost would be seen by nobody: a fencing token, a version, a status, a lock. Whoever
/// changes a condition changes it here too.
/// </summary>
public sealed partial class PackageConditionTests
{
    private static readonly string Body = Scripts.Code(Scripts.All["package-body"]);

    [Fact]
    public void Every_statement_has_its_condition_and_its_lock() =>
        Assert.Equal(
            [
                "append_content: instance_id = p_instance_id AND signal_id = p_signal_id FOR UPDATE",
                "append_content: instance_id = p_instance_id FOR UPDATE",
                "append_content: signal_id = p_signal_id FOR UPDATE",
                "begin_upkeep: schema_id = 1 AND NVL(upkeep_us, 0) <= l_now - p_pause_us FOR UPDATE SKIP LOCKED",
                "begin_upkeep: schema_id = l_id",
                "claim_batch: due_us > l_now",
                "claim_batch: instance_id = p_instance_id",
                "claim_batch: instance_id = p_instance_id AND due_us <= l_now"
                    + " AND (p_skip = 0 OR kind <> k_activity) ORDER BY due_us, signal_id FOR UPDATE SKIP LOCKED",
                "claim_batch: instance_id = p_instance_id AND signal_id = s.signal_id AND due_us <= l_now",
                "claim_batch: instance_id = p_instance_id FOR UPDATE SKIP LOCKED",
                "claim_batch: s.due_us <= l_now AND s.kind <> k_activity ORDER BY s.due_us, s.signal_id",
                "claim_batch: s.due_us <= l_now ORDER BY s.due_us, s.signal_id",
                "copy_keys: k.instance_id = l_from_id"
                    + " AND EXISTS (SELECT 1 FROM SERDICA_WF_instance i WHERE i.instance_id = l_to_id) AND NOT EXISTS (SELECT 1 FROM "
                    + "SERDICA_WF_signal_key o WHERE o.instance_id = l_to_id AND o.dedup_key = k.dedup_key) ORDER BY k.dedup_key",
                "delete_belongings: instance_id = p_instance_id",
                "delete_belongings: instance_id = p_instance_id",
                "delete_belongings: instance_id = p_instance_id",
                "delete_belongings: instance_id = p_instance_id",
                "delete_belongings: instance_id = p_instance_id",
                "delete_large: instance_id = p_instance_id AND signal_id = p_signal_id",
                "extend_lease: instance_id = l_instance_id AND signal_id = l_signal_id AND attempt = l_attempt"
                    + " AND kind = k_activity AND due_us > p_now",
                "publish_signal: business_key = l_key",
                "publish_signal: instance_id = l_instance_id",
                "publish_signal: instance_id = l_instance_id AND dedup_key = l_dedup_key",
                "purge_closed: CASE WHEN c.status >= 2 THEN c.updated_us END < l_limit"
                    + " AND NOT EXISTS (SELECT 1 FROM SERDICA_WF_instance p WHERE p.instance_id = c.parent_id AND p.status < k_closed)"
                    + " AND NOT (BITAND(c.waits, 32) <> 0"
                    + " AND EXISTS (SELECT 1 FROM SERDICA_WF_signal s WHERE s.instance_id = c.instance_id)) FOR UPDATE SKIP LOCKED",
                "purge_closed: EXISTS (SELECT 1 FROM SERDICA_WF_instance p WHERE p.instance_id = HEXTORAW(REPLACE(i.predecessor, '-', '')))"
                    + " OR EXISTS (SELECT 1 FROM SERDICA_WF_signal s WHERE s.instance_id = i.instance_id)",
                "purge_closed: instance_id = i.instance_id",
                "purge_orphans: NOT EXISTS (SELECT 1 FROM SERDICA_WF_instance i WHERE i.instance_id = b.instance_id)"
                    + " ORDER BY b.instance_id",
                "receive_batch: due_us > l_now",
                "receive_batch: due_us > l_now",
                "receive_batch: m.due_us <= l_now ORDER BY m.due_us, m.message_id",
                "receive_batch: message_id = p_message_id",
                "receive_batch: message_id = p_message_id FOR UPDATE SKIP LOCKED",
                "requeue_letter: d.signal_id = l_signal_id"
                    + " AND EXISTS (SELECT 1 FROM SERDICA_WF_instance i WHERE i.instance_id = d.instance_id AND i.status < k_closed) FOR "
                    + "UPDATE OF d.dead_us",
                "requeue_letter: instance_id = l_instance_id AND signal_id = l_signal_id",
                "requeue_letter: signal_id = l_signal_id",
                "send_signal: instance_id = l_instance_id",
                "start_child: instance_id = l_starter_id",
                "start_instance: business_key = l_key",
                "start_instance: instance_id = l_id",
                "sweep_messages: q.q_name = 'SERDICA_WF_SIGNAL_Q'"
                    + " AND NOT EXISTS (SELECT 1 FROM SERDICA_WF_signal s WHERE s.message_id = q.msgid)"
                    + " UNION ALL SELECT q.q_name, q.msgid FROM SERDICA_WF_qt q WHERE q.q_name = 'SERDICA_WF_LATER_Q'"
                    + " AND NOT EXISTS (SELECT 1 FROM SERDICA_WF_later l WHERE l.message_id = q.msgid)",
                "update_instance: instance_id = l_id AND version = l_expected",
                "withdraw_signal: instance_id = l_instance_id AND signal_id = l_signal_id",
            ],
            Subprograms(Body)
                .SelectMany(part =>
                    Condition().Matches(part.Text).Select(match => $"{part.Name}: {Blanks().Replace(match.Groups[1].Value, " ").Trim()}")
                )
                .Order(StringComparer.Ordinal)
        );

    /// <summary>A row that a condition kept away must be an answer, or the loser of a race believes that it has won.</summary>
    [Theory]
    [InlineData("claim_batch", "AND due_us <= l_now; CONTINUE WHEN SQL%ROWCOUNT = 0;")]
    [InlineData("extend_lease", "RETURN CASE SQL%ROWCOUNT WHEN 1 THEN k_accepted ELSE k_refused END;")]
    [InlineData("update_instance", "RETURN SQL%ROWCOUNT = 1;")]
    [InlineData("write_batch", "IF NOT update_instance(l_item, l_content, l_now) THEN p_conflict := 1; EXIT; END IF;")]
    [InlineData("write_batch", "l_outcome := extend_lease(l_item, l_now); tell_refusal(i);")]
    [InlineData("write_batch", "l_outcome := requeue_letter(l_item, l_now); tell_refusal(i);")]
    [InlineData("write_batch", "l_outcome := send_signal(l_item, l_content, l_now); tell_refusal(i);")]
    [InlineData("write_batch", "l_outcome := start_child(l_item, l_content, l_now); tell_refusal(i);")]
    [InlineData("start_child", "IF l_starters = 0 THEN RETURN k_refused; END IF;")]
    [InlineData("start_instance", "IF l_known > 0 THEN RAISE DUP_VAL_ON_INDEX; END IF;")]
    public void Fence_decides_the_answer(string subprogram, string code) =>
        Assert.Contains(code, Blanks().Replace(Subprograms(Body).Single(part => part.Name == subprogram).Text, " "));

    [Fact]
    public void Numbers_are_those_of_the_engine()
    {
        Assert.Equal((int)InstanceStatus.Completed, Constant("k_closed"));
        Assert.Equal((int)SignalKind.Activity, Constant("k_activity"));
        Assert.Equal((int)PublishOutcome.Accepted, Constant("k_accepted"));
        Assert.Equal((int)PublishOutcome.Duplicate, Constant("k_duplicate"));
        Assert.Equal((int)PublishOutcome.UnknownInstance, Constant("k_unknown"));
        Assert.Equal((int)PublishOutcome.InstanceClosed, Constant("k_instance_closed"));
        Assert.NotEqual(Constant("k_accepted"), Constant("k_refused"));
        Assert.DoesNotContain(Enum.GetValues<InstanceStatus>(), status => status.IsClosed() != (int)status >= Constant("k_closed"));
    }

    private static int Constant(string name) =>
        int.Parse(Regex.Match(Body, $@"{name}\s+CONSTANT PLS_INTEGER := (\d+);").Groups[1].Value, null);

    internal static IEnumerable<(string Name, string Text)> Subprograms(string code) =>
        Head().Split(code).Skip(1).Chunk(2).Select(pair => (pair[0], pair[1]));

    [GeneratedRegex(@"\n  (?:FUNCTION|PROCEDURE) (\w+)")]
    private static partial Regex Head();

    [GeneratedRegex(@"\bWHERE\b(.*?)(?=;|\bRETURNING\b|\)?\s+LOOP\b)", RegexOptions.Singleline)]
    private static partial Regex Condition();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();
}

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// Mistakes that somebody might make in the package, each with a test of the suite that must fail of it: a suite that does not
/// notice them shows nothing of the package.
/// </summary>
public sealed class SeededMistakeTests(IvorySqlFixture server)
{
    private static readonly Mistake[] Mistakes =
    [
        new("version that is not checked", "Decision_on_another_version_is_a_conflict_and_writes_nothing",
            @"(?<== l_id)\s+AND version = l_expected", ""),
        new("fencing token that is not checked", "Extension_with_an_old_token_or_of_nothing_is_returned_as_lost",
            @"\s+AND attempt = l_attempt", ""),
        new("lease that is extended after its end", "Lease_that_has_run_out_cannot_be_extended",
            @"\s+AND due_us > p_now(?=;)", ""),
        new("duplicate that is reported as accepted", "Outcomes_of_one_batch_belong_to_their_items",
            "RETURN k_duplicate;", "RETURN k_accepted;"),
        new("completed instance that still takes signals", "Signal_for_nobody_or_for_a_closed_instance_says_so_and_is_not_stored",
            "l_status >= k_closed", "l_status > k_closed"),
        new("message that is visible before its row", "Outcomes_of_one_batch_belong_to_their_items",
            @"(?<=FUNCTION enqueue\(.*?)DBMS_AQ\.ON_COMMIT(?=.*FUNCTION dequeue\()", "DBMS_AQ.IMMEDIATE"),
        new("signals in the wrong order", "Signals_of_an_instance_come_in_order_of_due_time_then_id",
            @"ORDER BY due_us, signal_id(?=\s+FOR UPDATE)", "ORDER BY due_us DESC, signal_id DESC"),
        new("signal that stays after its claim", "Decision_is_written_with_all_its_parts",
            @"DELETE FROM \w+ WHERE instance_id = p_instance_id AND signal_id = s\.signal_id AND[^;]*;\s+CONTINUE WHEN[^;]*;", ""),
        new("activity that a host without room for it takes", "Claim_without_activities_takes_the_other_signals_and_leaves_those",
            @"\s+AND \(p_skip = 0 OR kind <> k_activity\)", ""),
        new("time in place of a delay", "Nothing_due_tells_when_something_will_be",
            @"GREATEST\(l_next - now_us, 0\)", "l_next"),
        new("dedup keys that do not go over", "Dedup_key_that_the_predecessor_accepted_is_a_duplicate_for_the_continuation",
            @"\bcopy_keys\(l_item\);", "NULL;"),
        new("dead letters that outlive their instance", "Purge_takes_closed_instances_of_that_age_with_all_that_is_theirs",
            @"DELETE FROM \w+_dead_letter WHERE instance_id = p_instance_id;", ""),
        new("child that is purged before its parent", "Purge_leaves_closed_children_to_a_parent_that_is_open",
            @"\s+AND NOT EXISTS \(SELECT 1 FROM \w+_instance p WHERE p\.instance_id = c\.parent_id AND p\.status < k_closed\)", ""),
        new("link of a chain that is purged before its predecessor",
            "Closed_chain_stays_while_a_signal_to_its_first_is_stored_and_is_then_purged_at_once", @"CONTINUE WHEN l_held > 0;", ""),
        new("start with a taken key that is reported as accepted", "Starting_twice_with_one_business_key_gives_the_same_instance",
            @"RETURN k_refused;(?=\s+EXCEPTION\s+WHEN NO_DATA_FOUND THEN\s+-- Nobody)", "RETURN k_accepted;"),
        new("delayed message that comes at once", "Messages_without_a_row_are_swept_and_others_stay",
            "IF l_due <= p_now THEN", "IF l_due IS NOT NULL THEN"),
        new("contents that are all the first one", "Messages_carry_their_payload_and_come_in_order",
            @"l_offset := l_offset \+ l_length;", ""),
        new("delay in fractions of a second", "Delayed_message_is_not_early_and_announces_itself",
            @"CEIL\(p_wait_us / k_microseconds\)", "p_wait_us / k_microseconds"),
        new("message of a withdrawn timer that stays", "Withdrawn_timers_leave_nothing_in_the_queue",
            @"discard\(l_message_id\);", "NULL;"),
        new("exception queue that nobody looks into", "Signal_that_was_rolled_back_too_often_is_taken_from_the_exception_queue",
            @"\s+OR dequeue\(k_exception_queue[^;]*(?=;)", ""),
        new("upkeep that does not wait for its pause", "Upkeep_is_of_one_process_and_waits_for_its_pause",
            "<= l_now - p_pause_us", "<= l_now"),
        new("sweep of what is not lost", "Messages_without_a_row_are_swept_and_others_stay",
            @"\s+AND NOT EXISTS \(SELECT 1 FROM \w+_signal s WHERE s\.message_id = q\.msgid\)", ""),
        new("hints that are heard by their sender only", "Process_hears_the_hints_of_others_and_not_its_own_and_counts_both",
            @"tab\.corrid <> ", "tab.corrid = "),
    ];

    public static TheoryData<string> Names => [.. Mistakes.Select(mistake => mistake.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Mistake_is_noticed(string name)
    {
        var mistake = Mistakes.Single(mistake => mistake.Name == name);
        var method = typeof(OracleStandInCompliance)
            .GetNestedTypes()
            .Append(typeof(StandInTests))
            .Select(type => type.GetMethod(mistake.Test))
            .Single(method => method is not null)!;
        StandInFixture.Change.Value = Change(name);
        await using var test = (WorkflowBackendCompliance)Activator.CreateInstance(method.ReflectedType!, server)!;
        await test.InitializeAsync();

        var error = await Record.ExceptionAsync(() => (Task)method.Invoke(test, null)!);

        Assert.True(error is not null, $"{mistake.Test} passes all the same.");
    }

    /// <summary>Makes the mistake with this name in the shipped texts.</summary>
    internal static Func<string, string, string> Change(string name)
    {
        var mistake = Mistakes.Single(mistake => mistake.Name == name);
        return (script, text) => script == "package-body" ? mistake.Make(text) : text;
    }

    /// <summary>Needs no server.</summary>
    [Fact]
    public void Every_mistake_can_be_made_in_the_package_that_is_shipped()
    {
        var shipped = new OracleScripts("SERDICA_WF")["package-body"];

        Assert.InRange(Mistakes.Length, 20, int.MaxValue);
        Assert.All(Mistakes, mistake => Assert.NotEqual(shipped, mistake.Make(shipped)));
    }

    /// <param name="Pattern">Where, in the body of the package.</param>
    /// <param name="Replacement">What stands there instead.</param>
    private sealed record Mistake(string Name, string Test, string Pattern, string Replacement)
    {
        public string Make(string text) => Regex.Replace(text, Pattern, Replacement, RegexOptions.Singleline);
    }
}

using System.Security.Cryptography;

namespace Serdica.Perf.Workflows.Oracle.Tests;

/// <summary>
/// The scripts are executed only where Oracle or IvorySQL is, and some nowhere. A test of their text could only write them once more,
/// so each has a mark of the text that was last executed, or read by a reviewer where nothing executes it.
/// </summary>
public sealed partial class ShippedScriptTests
{
    /// <summary>By script, and by subprogram in the body of the package.</summary>
    private const string Marks = """
        append-content qSrpg9
        await-work sZhVox
        backlog 4SFv0X
        begin-upkeep YeEvfS
        census-definitions t9dBRZ
        census x5iJnX
        claim-batch QAtXgp
        coalesce-indexes qA+/pM
        compile-errors j3w6wF
        create-lock 578CT+
        create-queues n6MWuY
        dead-letters WwY9zC
        drop GQEFBW
        find-by-key zRH4P4
        find dbjETC
        insert-lock 3d0dbp
        inspect-character-set xK6SFP
        inspect-container UOnWjk
        inspect-package PFNHW8
        inspect-parameter wq2ge7
        inspect-redo-logs RBZoha
        inspect-server-process dfb6Z/
        inspect-time-zone aQGPeZ
        inspect-version W2oCou
        large-instance e1Jbaq
        large-signal sKziY3
        lock-schema 1W30tU
        migration-001 c94OvU
        migration-002 iEWlpn
        notify-work w0EE7F
        package-body gX6hNp
        now_us /84XIq
        elsewhere A1vbq8
        length_of r8taBe
        to_lob XkT7QD
        id_of tqNguI
        due_of jdFs7T
        is_large KNTmJE
        enqueue GDrxQs
        dequeue feogeu
        take_by_id O46r/r
        discard egS6rT
        insert_instance ge88X2
        start_instance 9kjbc8
        start_child TGxL/Q
        update_instance fRI20X
        put_signal EzTf/L
        put_signal_of Ls/QOT
        send_signal AkJRW8
        publish_signal adgInR
        copy_keys 2s+ptw
        delete_belongings eOA47T
        delete_large AhQGBL
        withdraw_signal KvW/0n
        store_dead_letter A/3FDc
        requeue_letter 62r4Be
        extend_lease A25JIH
        send_message kaCKxR
        write_batch UED5FA
        append_content MhcBdj
        claim_batch D/e/xv
        receive_batch yh3xg4
        purge_closed L235PI
        purge_orphans WF+zUv
        begin_upkeep M7L1dK
        sweep_messages E0EvHM
        dequeue_hint L0WxZk
        notify_work DOxz2B
        await_work bgiEi7
        package-spec 4GzPxA
        purge-closed GSZH2s
        purge-orphans K5h7KS
        receive-batch YKe3q+
        schema-version LdUvGb
        set-version DMS9IM
        statistics-counters-instance fobbSc
        statistics-counters YzbnNM
        statistics-processes xCvtkZ
        statistics-queues 5u21HL
        statistics-sessions EGo8RO
        statistics-statements BMIMYT
        statistics-times-instance DNHVlE
        statistics-times RV30W+
        statistics-waits-instance uoTPiJ
        statistics-waits Y9Ala6
        sweep-messages e0LgBI
        write-batch DZjUh1
        """;

    [Fact]
    public void Every_script_is_as_it_was_last_executed()
    {
        var known = Marks.Split('\n').Select(line => line.Split(' ')).ToDictionary(line => line[0], line => line[1]);
        var shipped = Scripts.All.Names.SelectMany(Parts).ToDictionary(part => part.Name, part => Mark(part.Text));

        var changes = shipped.Except(known).Select(part => $"{part.Key} {part.Value}").Concat(known.Keys.Except(shipped.Keys)).ToList();

        Assert.True(
            changes.Count == 0,
            "Nothing here has executed what these parts say now. Run the compliance suite with its seeded mistakes on a stand-in server "
                + $"(docs/drivers.md), and correct the marks only then.\n{string.Join('\n', changes)}"
        );
    }

    private static IEnumerable<(string Name, string Text)> Parts(string script)
    {
        var code = Scripts.Code(Scripts.All[script]);
        return script == "package-body"
            ? PackageConditionTests.Subprograms(code).Prepend((script, code[..code.IndexOf("FUNCTION")]))
            : [(script, code)];
    }

    /// <summary>Blanks mean nothing.</summary>
    private static string Mark(string code) =>
        Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(Blanks().Replace(code, " ").Trim())))[..6];

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();
}

using System.Security.Cryptography;

namespace Serdica.Perf.Workflows.Oracle.Tests;

/// <summary>
/// The scripts are executed only where Oracle or IvorySQL is, and some nowhere. What their lines should be could only be said here by
/// writing them once more; so each has a mark of two characters, by which a line that has changed is found and shown.
/// </summary>
public sealed partial class ShippedLineTests
{
    /// <summary>By script, and by subprogram in the body of the package. What has many lines stands here several times.</summary>
    private const string Marks = """
        append-content qEoisct3qEI7Tj
        await-work qEa+3DvwrzTj
        backlog 4S
        begin-upkeep qEz4pZkSTj
        census-definitions BZORbTulNt
        census bkWsbXPlAyTuTsxfdurjMunVVnda1jd6uwMunVFgGnfIQuYIA3ul7H
        claim-batch qEGOaq1WQM2dqgOSvwdSMLTj
        coalesce-indexes qEFzTloMTj
        compile-errors JA6zO3A5LQsh
        create-lock Spi+iVqExP3zKF9UseH0Y4+koBTj
        create-queues Sp7TR5qEWG5NJcTNRIv/C1H66A7FGH1LTkqEjo5NrsmW9iHz8xFS+BGHrUalqEtOT+eqcBFCAn0ZTj
        dead-letters SLJLtIUL
        drop Sp4zUqz9TKdKUJR2qEbEY4UwoBzcQ5qEYOY4h2oBHEqElCByOwkBCAXMLNsnRYGgTj
        find-by-key NbbTVF
        find NbbTq4
        insert-lock qEuiY4nZoBTj
        inspect-character-set xK
        inspect-container UO
        inspect-package PF
        inspect-parameter wq
        inspect-redo-logs RB
        inspect-server-process df
        inspect-time-zone aQ
        inspect-version W2
        large-instance e1
        large-signal sK
        lock-schema 1W
        migration-001 Spi+iVgsqEbEY4+koB6UqEOHApNCwywkeNfU5Frrsc8RujkdlxYfCaYVvc1ViX4/HrRj/unrlWCaYVDeRGujY2Ca2V+w/uPeoLCa
        migration-001 hH1ViXmsDe9JsdoKHaAFkwvc0t/u4xTj
        migration-002 SpwLXpqE1XY4r9oBTj
        notify-work qEr43D+MTj
        package-body rmeLvn9xwvq1fRnQ5b0Of6NDJ1v1QZvbBVpxDT4yQQ9N5w+YDpmQhj2s
        now_us JTRDRkqE4hsjYe
        elsewhere JwqE3zPH
        length_of HlqEZSB0
        to_lob q3E0qEJA38QTGHKm3Z
        id_of vbqE+5jV
        due_of dfqEwMul
        is_large g7qEZBwB
        enqueue MukEKPqIC1DUwSgMm1+hqEx5ai+VLtde//hoGH3e7mX1+6vCXpEZCT
        dequeue MukEfG4yv4IAsMDUWVgME/+hqEK0d5x5F9EP7o7mVM+6vCXpVmaE1DY4SBCiXZ
        take_by_id nYGCqE8LNStD
        discard ytE/DbqE/IF3
        insert_instance NSdZ+o4hwDLScQ878k8QqEtK3c4mf5LWQMeW
        start_instance MuyA2hujgMsrDUdZ4hEGqEDSqEM95gY4nZtAMgGHTjqEGaQwbTb2CfY4OZMIRaC6GHTjqeLQ
        start_child Q9mpzEqETNlBCfGHM95gwI
        update_instance xrdZaqLScQ878k8QqETebQ/daZTg1iBq
        put_signal MuYeSrFzujRGqG2hwXDU+h3qX0qEdRrzGHNkidnvD8/C/tGHhR
        put_signal_of qvqE5g9m6zMSa+rXAMI+Dwtm
        send_signal Q97VmRqE18tMGCGHwy5g2G
        publish_signal MuyA2huj3XDU7V4hcOg2WGqEqEtALM//d4GHY4OZGCTjl0nVnHyFflvUQWGHn9qE2IY4nZzUTjGHwyBO5g18
        copy_keys o/BOh1qEAQl5Jb7xUUjKhE2Y
        delete_belongings pJr4qEsKkNZUqedj6aQSbnKGt8TC
        delete_large mgqE0oCE
        withdraw_signal o/7VLE+hnOqEY6fllAuxK0Q+7erAGHGH5o
        store_dead_letter 4lLE7VfKx0jZ8QBnqEP8hUku
        requeue_letter khLEaFbWnOExqEqElohrAy2mIVoGY4OZCfTj7esXBp//sQGHuy5gLy
        extend_lease kh7VLEx0LbqElepkfllAhgorAX4hqc
        send_message NSLbiG+hqEek1e//cz4EGHA0
        write_batch Mue4Mun6igcCBODU18bW3ei3PjhY40KBaFX7Kaqr2vqEz222kiGHiFJxQ4qE95bHGHdJ8kT/qE2WCaGH/NqESUiG9QyTzGOzOZhl
        write_batch ITTx2WuuGHsOZhZ4UxW3CSjKzs6vGH+8BDZ4rWv22Wyz9UrJGHYKbqwDgupetxmNa3Z4Mlb1Z4nCVq//d7PPqekiGn
        append_content MuJ3YeSr6/DUExqEvHyYHmPSlzLBDyHCi30kahrF//jDPPkXgo
        claim_batch Mu0oLwKQB3igfKV5Xyp3DUgdUwnPwnXeAyu2RMERxVT8o2qEk/laUlGHaISmqEKfDg2wqEf3S8QgWcE/qEoUFRvmHCI7RkinUtDS
        claim_batch WJ/natfDAp3bjSPpidw3xV6vGHSRL5oJi5whH5ma//Wh6iGHqeM3G3oHnplsDsg2WvVAHiJqmvE03jWcGXoYqEqEYhyUbTHCfCY4
        claim_batch OZykWhSiGH5ZTjBxLV5ZGHCkDf4+STjT//jP3IGHAVNIaMCU//6vtuGHsmrdqECNgtfWqE6HQBM+GHsPQ5qEwpSl7XqEczSRqEyc
        claim_batch S5B2qis8N6DSo6OPMBqe//S5B2qis8RbN6DSo6OPMBqeGHSUCO/SYK9dHNRwZuYZGHVnRBGHq0
        receive_batch Mu0odeigfKvY9Hp3DUgdnPwnY6GCE/T8ZcR7qEcWXU4XzNq9qEBj1K2pLlBqA2ng3FqEqEIDY4OZ5ZTj3AX9D+GHomqES5BFi6Rk
        receive_batch LoDSs00JqeBH5u5yZuWcGHGHhx12/f8SSfqetuKAYK9dFb5uZuYZGHRjRBGHCA
        purge_closed MuMvMAQ0DUbfnHr4qEeWhk09W6VJV/UtDS8dZuhVJ6qef4/n
        purge_orphans MuMAQ0DUnHr4qE572+LECLLxTVLx7K4q4lDSrxhVJ6qef4sh
        begin_upkeep MuqETKDUgdyTqEETkabzAUl5fC1SI0Y4OZBrzq
        sweep_messages MuMAK4DUI4GCE/qE0oniVn8m1j5uniVnJBOCDSlAJnGHg8qeHxUW
        dequeue_hint Mu4yKPbeDsDUWVgME/+hqEK0d5fdWeF96czF7o5fVM+6vCXp1DY45cCic8
        notify_work Mug7fWDUwSgMQv+hqEs8aZfdWepu+V3e5fX1+6vCXpQYGHJC
        await_work Mug7debeDUujqEA3g+nBQgrYqeGHvShs
        package-spec +Y0aY+e4Mun6igcCrbiSJ3YeSrLW5h0oLwKQB3igfKV5Xyer000odeigfKvY9HerCFMvMASFm4MASFCiqEXLt5MASZ+xg7aVHag7
        package-spec deq2hs
        purge-closed qErmlMS2SnTj
        purge-orphans qEc+S2SnTj
        receive-batch qEQnaqvwqgOSHR9DMLTj
        schema-version Ld
        set-version DM
        statistics-counters-instance p0PEw97F1bpu
        statistics-counters p0/Ow97F1bpu
        statistics-processes xC
        statistics-queues 85xryAKDJ2z/5VedV932jK
        statistics-sessions EG
        statistics-statements rNLE6Qz6UhAths+0jp
        statistics-times-instance DN
        statistics-times RV
        statistics-waits-instance uo
        statistics-waits Y9
        sweep-messages qEMBS2wDTj
        write-batch qE6Q3cpMD/qgMDiDTj
        """;

    [Fact]
    public void Every_line_is_one_that_was_reviewed()
    {
        var known = Marks.Split('\n').Select(line => line.Split(' ')).ToLookup(line => line[0], line => line[1]);
        var parts = Scripts.All.Names.SelectMany(Parts).ToLookup(part => part.Name, part => part.Text);

        var changes = parts
            .Select(part => part.Key)
            .Union(known.Select(part => part.Key))
            .Order(StringComparer.Ordinal)
            .Select(name => Change(name, [.. parts[name].SelectMany(Lines)], string.Concat(known[name])))
            .OfType<string>()
            .ToList();

        Assert.True(
            changes.Count == 0,
            "Nothing here has executed what is new in these parts. Run the compliance suite with its seeded mistakes on a stand-in server "
                + $"(docs/drivers.md), and correct the marks only then.\n{string.Join('\n', changes)}"
        );
    }

    /// <returns>Null when nothing has changed.</returns>
    private static string? Change(string name, string[] lines, string known)
    {
        var (marks, before) = (lines.Select(Mark).ToList(), known.Chunk(2).Select(pair => new string(pair)).ToList());
        if (marks.SequenceEqual(before))
            return null;
        var first = Same(marks, before);
        var rest = Math.Min(marks.Count, before.Count) - first;
        var last = Math.Min(rest, Same(Enumerable.Reverse(marks), Enumerable.Reverse(before)));
        return $"{name} has in place of {before.Count - first - last} line(s) after '{lines.ElementAtOrDefault(first - 1)}':\n"
            + string.Concat(lines[first..^last].Select(line => $"    {line}\n"))
            + $"  new marks: {string.Concat(marks)}";
    }

    private static int Same(IEnumerable<string> some, IEnumerable<string> others) =>
        some.Zip(others).TakeWhile(pair => pair.First == pair.Second).Count();

    private static IEnumerable<(string Name, string Text)> Parts(string script)
    {
        var code = Scripts.Code(Scripts.All[script]);
        return script == "package-body"
            ? PackageConditionTests.Subprograms(code).Prepend((script, code[..code.IndexOf("FUNCTION", Ordinal)]))
            : [(script, code)];
    }

    /// <summary>Without blanks that mean nothing.</summary>
    private static IEnumerable<string> Lines(string text) =>
        text.Split('\n').Select(line => Blanks().Replace(line, " ").Trim()).Where(line => line.Length > 0);

    private static string Mark(string line) => Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(line)))[..2];

    [GeneratedRegex(@"\s+")]
    private static partial Regex Blanks();
}

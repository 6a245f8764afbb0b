namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// Parameters of a server that decide what figures mean. Their meanings and defaults are in the chapter "Initialization
/// Parameters" of the Oracle Database Reference.
/// </summary>
/// <param name="Values">By name; what is not set, or what the user may not read, is absent.</param>
/// <param name="Version">The banner of the server; null when the user may not read it.</param>
/// <param name="ServerProcess">How this session has its server process; null when the user may not read it.</param>
internal sealed partial record OracleParameters(IReadOnlyDictionary<string, string> Values, string? Version, string? ServerProcess)
{
    /// <summary>
    /// Cursors that a session may have open: those of the driver's cache, those that PL/SQL keeps of the statements of the package,
    /// and those of AQ, with room to spare. The parameter's default is 50; installations set 300.
    /// </summary>
    private const int EnoughCursors = 200;

    /// <summary>Each server has it, so it tells whether parameters can be read at all.</summary>
    private const string Processes = "processes";

    private static readonly string[] Names =
    [
        "cpu_count",
        "sga_target",
        "pga_aggregate_target",
        "compatible",
        Processes,
        "open_cursors",
        "aq_tm_processes",
        "streams_pool_size",
        "commit_logging",
        "commit_wait",
    ];

    private bool IsReadable => Values.ContainsKey(Processes);

    public static async Task<OracleParameters> ReadAsync(OracleSession session, CancellationToken cancellationToken)
    {
        var values = new Dictionary<string, string>();
        foreach (var name in Names)
        {
            var value = await OracleInspection
                .AskAsync(session, OracleStatement.InspectParameter, [name], cancellationToken)
                .ConfigureAwait(false);
            if (value is not null)
                values[name] = value;
        }

        return new OracleParameters(
            values,
            await AskAsync(session, "inspect-version", cancellationToken).ConfigureAwait(false),
            await AskAsync(session, "inspect-server-process", cancellationToken).ConfigureAwait(false)
        );
    }

    /// <summary>What an inspection says of them.</summary>
    /// <param name="poolSize">Connections that this process opens at most.</param>
    /// <param name="processesInUse">Null when the user may not count them.</param>
    public IEnumerable<OracleFinding> Judge(int poolSize, double? processesInUse) =>
        [JudgeMonitor(), JudgeServerProcess(), JudgeCompatible(), JudgeCursors(), JudgeProcesses(poolSize, processesInUse), JudgeCommits()];

    private OracleFinding JudgeMonitor() =>
        Values.GetValueOrDefault("aq_tm_processes") switch
        {
            null => Untold("aq_tm_processes"),
            "0" => new(
                "aq_tm_processes",
                true,
                "0: the queue monitor is off, and delayed messages never become ready. ALTER SYSTEM RESET aq_tm_processes."
            ),
            var monitor => new("aq_tm_processes", false, monitor),
        };

    private OracleFinding JudgeServerProcess() =>
        ServerProcess switch
        {
            null => new("Server process", false, "unknown: this user cannot read V$SESSION."),
            "DEDICATED" => new("Server process", false, "dedicated."),
            _ => new(
                "Server process",
                true,
                $"{ServerProcess}: sessions share server processes, and a call that waits for a message keeps others waiting, which no "
                    + "wait event shows. Ask for a dedicated one: Data Source=host:1521/service:dedicated."
            ),
        };

    private OracleFinding JudgeCompatible()
    {
        const string Check = "compatible";
        if (Values.GetValueOrDefault(Check) is not { } value)
            return Untold(Check);
        if (Number().Match(value) is not { Success: true } found)
            return new(Check, false, value);
        var (major, minor) = (Int(found.Groups[1].Value), Int(found.Groups[2].Value));
        if ((major, minor).CompareTo((12, 2)) < 0)
            return new(Check, true, $"{value}: below 12.2.0 names of queues have at most 24 bytes (ORA-24019), and the suite's have more.");
        var release = Version is not null && Release().Match(Version) is { Success: true } named ? Int(named.Groups[1].Value) : major;
        return new(
            Check,
            false,
            major < release
                ? $"{value}: the server has release {release}, but its figures are of one without what is newer than {major}."
                : value
        );
    }

    private OracleFinding JudgeCursors() =>
        Values.GetValueOrDefault("open_cursors") switch
        {
            null => Untold("open_cursors"),
            var value when Int(value) < EnoughCursors => new(
                "open_cursors",
                true,
                $"{value}: with fewer than {EnoughCursors} a session parses anew what it would keep, or fails with ORA-01000. ALTER SYSTEM "
                    + "SET open_cursors = 300."
            ),
            var value => new("open_cursors", false, value),
        };

    private OracleFinding JudgeProcesses(int poolSize, double? inUse)
    {
        if (Values.GetValueOrDefault(Processes) is not { } value)
            return Untold(Processes);
        var free = Int(value) - (inUse ?? 0);
        var used = inUse is null ? "" : Invariant($", {inUse} of them in use");
        return new(
            Processes,
            false,
            free < poolSize
                ? $"{value}{used}: the pool of one process of the suite may ask for {poolSize} connections, and those that are refused "
                    + "(ORA-12516, 12519 or 12520) are asked for again within the figures. Raise it, or lower Max Pool Size."
                : $"{value}{used}; the pool of one process of the suite has at most {poolSize} connections."
        );
    }

    private OracleFinding JudgeCommits()
    {
        const string Check = "Commits";
        if (!IsReadable)
            return Untold(Check);
        var weak = new[] { (Name: "commit_wait", Value: "NOWAIT"), (Name: "commit_logging", Value: "BATCH") }
            .Where(item => string.Equals(Values.GetValueOrDefault(item.Name), item.Value, OrdinalIgnoreCase))
            .ToList();
        return weak.Count == 0
            ? new(Check, false, "they wait for the log: neither commit_wait nor commit_logging says otherwise.")
            : new(
                Check,
                true,
                string.Join(" and ", weak.Select(item => $"{item.Name} is {item.Value}"))
                    + ": figures are of commits that a crash may lose. "
                    + string.Join(' ', weak.Select(item => $"ALTER SYSTEM RESET {item.Name}."))
            );
    }

    private static OracleFinding Untold(string check) => new(check, false, "unknown: this user cannot read V$PARAMETER.");

    private static int Int(string value) => int.TryParse(value, CultureInfo.InvariantCulture, out var number) ? number : 0;

    private static Task<string?> AskAsync(OracleSession session, string script, CancellationToken cancellationToken) =>
        OracleInspection.AskAsync(session, OracleStatement.Plain(script), [], cancellationToken);

    [GeneratedRegex(@"^(\d+)\.(\d+)")]
    private static partial Regex Number();

    [GeneratedRegex(@"Release (\d+)\.")]
    private static partial Regex Release();
}

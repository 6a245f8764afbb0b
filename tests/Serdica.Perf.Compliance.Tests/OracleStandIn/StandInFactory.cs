namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// A driver as strict as Oracle's that has IvorySQL execute what the Oracle backend ships. It stands in for Oracle in tests;
/// nothing that it measures is a figure of Oracle's.
/// </summary>
/// <param name="source">The server; null when <see cref="Answer"/> answers everything.</param>
/// <param name="prefix">The backend's prefix; null takes it from what is executed.</param>
/// <param name="change">Makes another text of a shipped one, by the name of the script.</param>
internal sealed partial class StandInFactory(NpgsqlDataSource? source, string? prefix, Func<string, string, string>? change = null)
    : DbProviderFactory
{
    private int _roundTrips;
    private int _commits;
    private string? _prefix = prefix;
    private OracleScripts? _scripts = prefix is null ? null : new OracleScripts(prefix);

    public string Prefix => _prefix ?? "NOWHERE";

    public string QueueTable => $"{Prefix}_QT";

    public OracleScripts Scripts => _scripts ??= new OracleScripts(Prefix);

    /// <summary>Whether the user may read the V$ views of the whole instance; those by container are not there.</summary>
    public bool HasViews { get; set; }

    /// <summary>Runs before each call of the package and each script, by name and with the values of its IN binds.</summary>
    public Func<string, IReadOnlyList<object?>, Task>? Before { get; set; }

    /// <summary>Runs at each "open", "commit" and "rollback".</summary>
    public Func<string, Task>? At { get; set; }

    /// <summary>The values of the OUT binds of a call, by name and with those of its IN binds, without any server.</summary>
    public Func<string, IReadOnlyList<object?>, object[]>? Answer { get; set; }

    /// <summary>The rows of a query, without any server; scripts then do nothing.</summary>
    public Func<string, object?[][]>? Rows { get; set; }

    /// <summary>Commits of transactions, and of each call outside of one.</summary>
    public int Commits => Volatile.Read(ref _commits);

    public int MaxRetries => StandInScripts.MaxRetries(Scripts["create-queues"]);

    /// <summary>Calls that reached the server: what the backend's round trips are counted by.</summary>
    public int RoundTrips => Volatile.Read(ref _roundTrips);

    /// <summary>A factory for the same server, for callers that choose a prefix themselves.</summary>
    public StandInFactory ForAnyPrefix() => new(source, null);

    /// <summary>Completes when the backend has the pool cleared.</summary>
    public TaskCompletionSource Cleared { get; } = new(RunContinuationsAsynchronously);

    /// <summary>Connections that are not given back.</summary>
    public int Open { get; set; }

    /// <summary>Connections of the pool that the server has closed, and that are handed out next.</summary>
    public int DeadInPool { get; set; }

    public override DbConnection CreateConnection() =>
        new StandInConnection(this, source?.CreateConnection()) { IsDead = DeadInPool > 0 && DeadInPool-- > 0 };

    public void CountRoundTrip() => Interlocked.Increment(ref _roundTrips);

    public Task AtAsync(string how) => At?.Invoke(how) ?? Task.CompletedTask;

    public void CountCommit() => Interlocked.Increment(ref _commits);

    /// <summary>The name of the script with this text; null when it is none of them.</summary>
    public string? ScriptOf(string text)
    {
        if (_prefix is null && PrefixIn().Match(text) is { Success: true } found)
            (_prefix, _scripts) = (found.Value, null);
        return Scripts.Names.FirstOrDefault(name => Scripts[name] == text);
    }

    /// <summary>The text of a script as IvorySQL executes it.</summary>
    public string Translate(string script) =>
        change is null
            ? IvorySqlRule.Translate(script, Scripts[script])
            : IvorySqlRule.Translate(script, change(script, Scripts[script]), isShipped: false);

    /// <summary>Messages of a queue, whoever holds them.</summary>
    public async Task<long> CountAsync(string queue, CancellationToken cancellationToken)
    {
        await using var command = source!.CreateCommand($"select count(*)::pg_catalog.int8 from {QueueTable} where q_name = $1");
        command.Parameters.AddWithValue(queue == "exception" ? $"AQ$_{QueueTable}_E" : $"{Prefix}_{queue.ToUpperInvariant()}_Q");
        return (long)(await command.ExecuteScalarAsync(cancellationToken))!;
    }

    /// <summary>Whether a call of this procedure waits for a lock of another session.</summary>
    public async Task<bool> WaitsAsync(string procedure, CancellationToken cancellationToken)
    {
        await using var command = source!.CreateCommand(
            "select count(*)::pg_catalog.int8 from pg_stat_activity where wait_event_type = 'Lock' and strpos(query, $1) > 0"
        );
        command.Parameters.AddWithValue($"{Prefix}_call_{procedure}(");
        return (long)(await command.ExecuteScalarAsync(cancellationToken))! > 0;
    }

    /// <summary>Ends the sessions of claims that wait for their decision.</summary>
    /// <returns>How many there were.</returns>
    public async Task<long> EndClaimsAsync(CancellationToken cancellationToken)
    {
        await using var command = source!.CreateCommand(
            """
            select count(nullif(pg_terminate_backend(pid, 20000::pg_catalog.int8), false))::pg_catalog.int8 from pg_stat_activity
            where state = 'idle in transaction' and strpos(query, $1) > 0
            """
        );
        command.Parameters.AddWithValue($"{Prefix}_call_claim_batch(");
        return (long)(await command.ExecuteScalarAsync(cancellationToken))!;
    }

    /// <summary>Loses all messages, as no transaction ever does.</summary>
    public Task DeleteMessagesAsync(CancellationToken cancellationToken) => ExecuteAsync("delete from {wf}_qt", cancellationToken);

    /// <summary>Executes a statement by a session of its own.</summary>
    public Task ExecuteAsync(string sql, CancellationToken cancellationToken) =>
        StandInScripts.RunAsync(source!, sql.Replace("{wf}", Prefix), cancellationToken);

    /// <summary>Deletes an instance and nothing else, as a purge does that cannot see what others are about to commit.</summary>
    public Task DeleteInstanceAsync(Guid id, CancellationToken cancellationToken) =>
        ExecuteAsync($"delete from {{wf}}_instance where instance_id = hextoraw('{OracleText.Hex(id)}')", cancellationToken);

    [GeneratedRegex("SWF_[0-9A-F]{16}")]
    private static partial Regex PrefixIn();
}

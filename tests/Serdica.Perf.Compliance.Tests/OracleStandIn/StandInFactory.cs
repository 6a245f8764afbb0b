using System.Data.Common;
using System.Text.RegularExpressions;
using Npgsql;
using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// A driver that answers the calls of the Oracle backend's package on PostgreSQL, with the semantics of classic Advanced
/// Queuing. It stands in for Oracle in tests of the C# side only; nothing that it measures is a figure of Oracle's.
/// </summary>
/// <param name="source">The PostgreSQL server.</param>
/// <param name="prefix">The backend's prefix, which the schema is named after; null takes it from what is executed.</param>
internal sealed partial class StandInFactory(NpgsqlDataSource source, string? prefix) : DbProviderFactory
{
    private int _roundTrips;
    private string? _prefix = prefix;
    private OracleScripts? _scripts = prefix is null ? null : new OracleScripts(prefix);

    public string Schema => (_prefix ?? "nowhere").ToLowerInvariant();

    public StandInViews Views { get; set; }

    /// <summary>Runs before each call of the package and each script, by name and with the values of its IN binds.</summary>
    public Func<string, IReadOnlyList<object?>, Task>? Before { get; set; }

    public int MaxRetries => StandInScripts.MaxRetries(_scripts!["create-queues"]);

    /// <summary>Calls that reached the server: what the backend's round trips are counted by.</summary>
    public int RoundTrips => Volatile.Read(ref _roundTrips);

    /// <summary>A factory for the same server, for callers that choose a prefix themselves.</summary>
    public StandInFactory ForAnyPrefix() => new(source, null);

    /// <summary>Connections of the pool that the server has closed, and that are handed out next.</summary>
    public int DeadInPool { get; set; }

    public override DbConnection CreateConnection() =>
        new StandInConnection(this, source.CreateConnection()) { IsDead = DeadInPool > 0 && DeadInPool-- > 0 };

    public void CountRoundTrip() => Interlocked.Increment(ref _roundTrips);

    /// <summary>The name of the script with this text; null when it is none of them.</summary>
    public string? ScriptOf(string text)
    {
        if (_scripts is null && PrefixIn().Match(text) is { Success: true } found)
        {
            _prefix = found.Value;
            _scripts = new OracleScripts(found.Value);
        }

        var scripts = _scripts ?? new OracleScripts("NOWHERE");
        return scripts.Names.FirstOrDefault(name => scripts[name] == text);
    }

    /// <summary>Messages of a queue, whoever holds them.</summary>
    public async Task<long> CountAsync(string queue, CancellationToken cancellationToken)
    {
        await using var command = source.CreateCommand($"select count(*) from {Schema}.qt where q_name = $1");
        command.Parameters.AddWithValue(queue);
        return (long)(await command.ExecuteScalarAsync(cancellationToken))!;
    }

    /// <summary>Whether a call of this procedure waits for a lock of another session.</summary>
    public async Task<bool> WaitsAsync(string procedure, CancellationToken cancellationToken)
    {
        await using var command = source.CreateCommand(
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and strpos(query, $1) > 0"
        );
        command.Parameters.AddWithValue($"{Schema}.{procedure}(");
        return (long)(await command.ExecuteScalarAsync(cancellationToken))! > 0;
    }

    /// <summary>Loses all messages, as no transaction ever does.</summary>
    public Task DeleteMessagesAsync(CancellationToken cancellationToken) => ExecuteAsync("delete from {schema}.qt", cancellationToken);

    /// <summary>Executes statements on PostgreSQL, by a session of its own.</summary>
    public async Task ExecuteAsync(string sql, CancellationToken cancellationToken)
    {
        await using var command = source.CreateCommand(sql.Replace("{schema}", Schema, StringComparison.Ordinal));
        await command.ExecuteNonQueryAsync(cancellationToken);
    }

    /// <summary>Deletes an instance and nothing else, as a purge does that cannot see what others are about to commit.</summary>
    public async Task DeleteInstanceAsync(Guid id, CancellationToken cancellationToken)
    {
        await using var command = source.CreateCommand($"delete from {Schema}.instance where instance_id = $1");
        command.Parameters.AddWithValue(OracleText.Raw(id));
        await command.ExecuteNonQueryAsync(cancellationToken);
    }

    [GeneratedRegex("SWF_[0-9A-F]{16}")]
    private static partial Regex PrefixIn();
}

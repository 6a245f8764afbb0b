namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Numbers the servers that sessions have met: one that was restarted, or has taken the place of another, gets a new number. It may
/// not have everything that was committed before, where its log is written or replicated asynchronously.
/// </summary>
internal sealed class ServerIncarnation(PostgreSqlScripts scripts)
{
    private readonly Lock _gate = new();
    private DateTime? _startedAt;
    private int _current;

    public int Current => Volatile.Read(ref _current);

    /// <summary>Asks the session's server who it is.</summary>
    public async Task MeetAsync(PostgreSqlSession session, CancellationToken cancellationToken)
    {
        var question = new NpgsqlCommand(scripts["incarnation"], session.Connection);
        await using (question.ConfigureAwait(false))
        {
            var startedAt = (DateTime)(await question.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
            lock (_gate)
            {
                if (_startedAt != startedAt)
                    Change(startedAt);
                session.Incarnation = _current;
            }
        }
    }

    /// <summary>A server has ended its sessions, or cannot be reached.</summary>
    public void Lost()
    {
        lock (_gate)
            Change(startedAt: null);
    }

    private void Change(DateTime? startedAt)
    {
        _startedAt = startedAt;
        Volatile.Write(ref _current, _current + 1);
    }
}

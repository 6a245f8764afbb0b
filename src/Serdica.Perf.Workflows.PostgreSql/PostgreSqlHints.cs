using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>LISTEN and NOTIFY. Hints only: a lost one costs a poll, never a signal.</summary>
/// <remarks>Compiled into the MongoDB backend too: DocumentDB is an extension of PostgreSQL, and hears as it does.</remarks>
internal sealed class PostgreSqlHints(Func<CancellationToken, ValueTask<NpgsqlConnection>> openAsync, string channel) : IAsyncDisposable
{
    private readonly SemaphoreSlim _turn = new(1, 1);
    private NpgsqlConnection? _listener;

    public async Task WaitAsync(TimeSpan maximum, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            _listener ??= await ListenAsync(cancellationToken).ConfigureAwait(false);
            await _listener.WaitAsync(maximum, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            await ForgetListenerAsync().ConfigureAwait(false);
            throw;
        }
        finally
        {
            _turn.Release();
        }
    }

    public async Task NotifyAsync(CancellationToken cancellationToken)
    {
        var connection = await openAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new NpgsqlCommand("select pg_notify($1, '')", connection);
            await using (command.ConfigureAwait(false))
            {
                command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = channel });
                await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        await ForgetListenerAsync().ConfigureAwait(false);
        _turn.Dispose();
    }

    private async Task<NpgsqlConnection> ListenAsync(CancellationToken cancellationToken)
    {
        var connection = await openAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var command = new NpgsqlCommand($"listen {channel}", connection);
            await using (command.ConfigureAwait(false))
                await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            return connection;
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task ForgetListenerAsync()
    {
        if (_listener is { } listener)
        {
            _listener = null;
            await listener.DisposeAsync().ConfigureAwait(false);
        }
    }
}

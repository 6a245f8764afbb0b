namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>LISTEN and NOTIFY. Hints only: a lost one costs a poll, never a signal.</summary>
/// <remarks>
/// <para>
/// One connection listens for all who wait, from the first wait on. It is checked by the driver while nothing comes; when it
/// has failed, those who wait get the error, and it is replaced.
/// </para>
/// <para>Compiled into the MongoDB backend too: DocumentDB is an extension of PostgreSQL, and hears as it does.</para>
/// </remarks>
/// <param name="beginListeningAsync">What else each new connection that listens needs.</param>
internal sealed class PostgreSqlHints(
    Func<CancellationToken, ValueTask<NpgsqlConnection>> openAsync,
    string listenerString,
    string channel,
    Func<NpgsqlConnection, CancellationToken, Task>? beginListeningAsync = null
) : IAsyncDisposable
{
    private static readonly TimeSpan RenewalPause = FromMilliseconds(500);

    private readonly NpgsqlDataSource _listener = BuiltInTypes.CreateSource(listenerString);
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private TaskCompletionSource _heard = NewHearing();
    private Task? _listening;
    private int _waiting;
    private bool _unheard;

    /// <summary>A connection string for listening: a connection of its own, which is checked while nothing comes.</summary>
    /// <param name="heartbeat">How long nothing may come before the connection is checked; whole seconds.</param>
    public static string Listening(string connectionString, TimeSpan heartbeat)
    {
        var listener = new NpgsqlConnectionStringBuilder(connectionString)
        {
            Pooling = false,
            KeepAlive = (int)Math.Ceiling(heartbeat.TotalSeconds),
            CancellationTimeout = -1,
        };
        listener.CommandTimeout = listener.KeepAlive;
        return listener.ConnectionString;
    }

    /// <summary>Completes at the next notification, at one that came while nobody waited, or after the time.</summary>
    public async Task WaitAsync(TimeSpan maximum, CancellationToken cancellationToken)
    {
        Task heard;
        if (_stop.IsCancellationRequested)
        {
            // Nothing comes any more; those who go on waiting must not do so in a busy loop.
            await Task.Delay(maximum, cancellationToken).ConfigureAwait(false);
            return;
        }

        lock (_gate)
        {
            if (_unheard)
            {
                _unheard = false;
                return;
            }

            if (!_stop.IsCancellationRequested)
                _listening ??= Task.Run(ListenAsync, CancellationToken.None);
            heard = _heard.Task;
            _waiting++;
        }

        try
        {
            await heard.WaitAsync(maximum, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException) when (!heard.IsFaulted)
        {
            // Nothing came; the caller looks for itself.
        }
        finally
        {
            lock (_gate)
                _waiting--;
        }
    }

    public async Task NotifyAsync(string payload, CancellationToken cancellationToken)
    {
        var connection = await openAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new NpgsqlCommand("select pg_notify($1, $2)", connection);
            await using (command.ConfigureAwait(false))
            {
                command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = channel });
                command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = payload });
                await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Whoever waits goes on.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        if (_listening is { } listening)
            await listening.ConfigureAwait(false);
        Complete(hearing => hearing.TrySetResult());
        await _listener.DisposeAsync().ConfigureAwait(false);
    }

    private static TaskCompletionSource NewHearing() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private async Task ListenAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await ListenOnceAsync(_stop.Token).ConfigureAwait(false);
            }
            catch (Exception) when (_stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                // Whatever it is, those who wait get it, and the next connection may be better.
                Complete(hearing => hearing.TrySetException(e));
                await Task.WhenAny(Task.Delay(RenewalPause, _stop.Token)).ConfigureAwait(false);
            }
        }
    }

    private async Task ListenOnceAsync(CancellationToken cancellationToken)
    {
        var connection = await _listener.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new NpgsqlCommand($"listen {channel}", connection);
            await using (command.ConfigureAwait(false))
                await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);

            if (beginListeningAsync is not null)
                await beginListeningAsync(connection, cancellationToken).ConfigureAwait(false);

            // What came while nobody listened yet, or any more, is lost: as if it came now.
            Hear();
            while (true)
            {
                await connection.WaitAsync(cancellationToken).ConfigureAwait(false);
                Hear();
            }
        }
    }

    private void Hear()
    {
        TaskCompletionSource heard;
        lock (_gate)
        {
            _unheard = _waiting == 0;
            heard = _heard;
            _heard = NewHearing();
        }

        heard.TrySetResult();
    }

    /// <summary>Ends the hearing that people wait for; a failed one stays until there is a connection again.</summary>
    private void Complete(Action<TaskCompletionSource> complete)
    {
        TaskCompletionSource heard;
        lock (_gate)
        {
            if (_heard.Task.IsCompleted)
                _heard = NewHearing();
            heard = _heard;
        }

        complete(heard);

        // It may be that nobody waits.
        _ = heard.Task.Exception;
    }
}

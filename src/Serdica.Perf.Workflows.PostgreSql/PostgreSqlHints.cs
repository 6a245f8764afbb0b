namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>LISTEN and NOTIFY. Hints only: a lost one costs a poll, never a signal.</summary>
/// <remarks>
/// <para>
/// One connection listens for all who wait, from the first wait on. It is checked by the driver while nothing comes; when it
/// has failed, those who wait get the error, and it is replaced.
/// </para>
/// <para>
/// With an election, one of the connections listens to the channel: the one that holds an advisory lock. The server gives the lock back
/// when that connection ends, and the others ask for it at intervals. All of them listen to a second channel, for what is meant for all.
/// </para>
/// <para>Compiled into the MongoDB backend too: DocumentDB is an extension of PostgreSQL, and hears as it does.</para>
/// </remarks>
/// <param name="elects">Whether one connection hears the channel, and not all that wait.</param>
/// <param name="beginListeningAsync">What else each new connection that listens needs.</param>
internal sealed class PostgreSqlHints(
    Func<CancellationToken, ValueTask<NpgsqlConnection>> openAsync,
    string listenerString,
    string channel,
    bool elects = false,
    Func<NpgsqlConnection, CancellationToken, Task>? beginListeningAsync = null
) : IAsyncDisposable
{
    /// <summary>The first key of the lock, <c>frst</c>; the second one stands for the channel.</summary>
    private const int LockClass = 0x66727374;

    private const string Lock = "select pg_try_advisory_lock($1, hashtext($2) & 2147483647)";
    private const string Unlock = "select pg_advisory_unlock($1, hashtext($2) & 2147483647)";

    private static readonly TimeSpan RenewalPause = FromMilliseconds(500);

    /// <summary>How often a connection asks whether it can be the one that listens.</summary>
    private static readonly TimeSpan ElectionInterval = FromSeconds(1);

    /// <summary>Whoever waits for hints comes back at once, unless its process is paused or its host has stopped.</summary>
    private static readonly TimeSpan NobodyWaits = FromMilliseconds(500);

    private readonly NpgsqlDataSource _listener = BuiltInTypes.CreateSource(listenerString);
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private TaskCompletionSource _heard = NewHearing();
    private Task? _listening;
    private int _waiting;
    private bool _unheard;
    private long _waited = Stopwatch.GetTimestamp();
    private volatile bool _isFirst;

    /// <summary>Whether this object hears the channel; null without an election.</summary>
    public bool? IsFirst => elects ? _isFirst : null;

    private string All => channel + "_all";

    private bool IsWaitedFor
    {
        get
        {
            lock (_gate)
                return _waiting > 0 || Stopwatch.GetElapsedTime(_waited) < NobodyWaits;
        }
    }

    /// <summary>A hint has come, and nobody has taken it yet.</summary>
    private bool IsUnheard
    {
        get
        {
            lock (_gate)
                return _unheard;
        }
    }

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
            {
                _waiting--;
                _waited = Stopwatch.GetTimestamp();
            }
        }
    }

    public Task NotifyAsync(string payload, CancellationToken cancellationToken) => NotifyAsync(channel, payload, cancellationToken);

    /// <summary>With an election: notifies all who wait, and not only the one that hears the channel.</summary>
    public Task NotifyAllAsync(CancellationToken cancellationToken) => NotifyAsync(All, "", cancellationToken);

    private async Task NotifyAsync(string to, string payload, CancellationToken cancellationToken)
    {
        var connection = await openAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new NpgsqlCommand("select pg_notify($1, $2)", connection);
            await using (command.ConfigureAwait(false))
            {
                command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = to });
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
            await ExecuteAsync(connection, $"listen {(elects ? All : channel)}", cancellationToken).ConfigureAwait(false);
            if (beginListeningAsync is not null)
                await beginListeningAsync(connection, cancellationToken).ConfigureAwait(false);

            // What came while nobody listened yet, or any more, is lost: as if it came now.
            Hear();
            if (elects)
                await ElectAsync(connection, cancellationToken).ConfigureAwait(false);
            while (true)
            {
                await connection.WaitAsync(cancellationToken).ConfigureAwait(false);
                Hear();
            }
        }
    }

    /// <summary>Hears what is meant for all; and the channel, while it holds the lock and somebody waits.</summary>
    private async Task ElectAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        try
        {
            while (true)
            {
                if (!_isFirst && IsWaitedFor && await AskAsync(connection, Lock, cancellationToken).ConfigureAwait(false))
                {
                    await ExecuteAsync(connection, $"listen {channel}", cancellationToken).ConfigureAwait(false);
                    _isFirst = true;
                    Hear();
                }

                // The first is checked by the driver while nothing comes, and the others by the question for the lock.
                var mayWaitLong = _isFirst && !IsUnheard;
                if (mayWaitLong)
                    await connection.WaitAsync(cancellationToken).ConfigureAwait(false);
                var limit = _isFirst ? NobodyWaits : ElectionInterval;
                if (mayWaitLong || await connection.WaitAsync(limit, cancellationToken).ConfigureAwait(false))
                    Hear();

                // The hint is for others when nobody comes for it.
                if (_isFirst && IsUnheard && !IsWaitedFor)
                    await StepDownAsync(connection, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            _isFirst = false;
        }
    }

    /// <summary>The next first one hears what came as if it came then; until it is elected, all look.</summary>
    private async Task StepDownAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        _isFirst = false;
        await ExecuteAsync(connection, $"unlisten {channel}", cancellationToken).ConfigureAwait(false);
        await AskAsync(connection, Unlock, cancellationToken).ConfigureAwait(false);
        await ExecuteAsync(connection, $"notify {All}", cancellationToken).ConfigureAwait(false);
    }

    private async Task<bool> AskAsync(NpgsqlConnection connection, string question, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand(question, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = LockClass });
            command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = channel });
            return (bool)(await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
        }
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string statement, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand(statement, connection);
        await using (command.ConfigureAwait(false))
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
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

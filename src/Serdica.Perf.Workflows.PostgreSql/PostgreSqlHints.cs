namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>LISTEN and NOTIFY. Hints only: a lost one costs a poll, never a signal.</summary>
/// <remarks>
/// <para>
/// One connection listens for all who wait, from the first wait on. It is checked by the driver while nothing comes; when it
/// has failed, those who wait get the error, and it is replaced.
/// </para>
/// <para>
/// With an election, one of the connections listens to the channel: the one that holds an advisory lock. The server gives the lock back
/// when that connection ends, and the others ask for it at intervals. A second channel is for what is meant for all. Where the others can
/// ask for late work, they do so together with the lock, and listen to that channel only for some time after there was some: at each
/// notification the server wakes all sessions of the database that listen to anything.
/// </para>
/// <para>Compiled into the MongoDB backend too: DocumentDB is an extension of PostgreSQL, and hears as it does.</para>
/// </remarks>
/// <param name="elects">Whether one connection hears the channel, and not all that wait.</param>
/// <param name="late">A query for whether work has been due for too long; null where the others do not ask for it.</param>
/// <param name="beginListeningAsync">What else each new connection that listens needs.</param>
internal sealed class PostgreSqlHints(
    Func<CancellationToken, ValueTask<NpgsqlConnection>> openAsync,
    string listenerString,
    string channel,
    bool elects = false,
    string? late = null,
    Func<NpgsqlConnection, CancellationToken, Task>? beginListeningAsync = null
) : IAsyncDisposable
{
    /// <summary>The first key of the lock, <c>frst</c>; the second one stands for the channel.</summary>
    private const int LockClass = 0x66727374;

    private const string Lock = "select pg_try_advisory_lock($1, hashtext($2) & 2147483647), ";

    /// <summary>The connection has no other lock.</summary>
    private const string Unlock = "select pg_advisory_unlock_all()";

    private static readonly TimeSpan RenewalPause = FromMilliseconds(500);

    /// <summary>How often a connection asks whether it can be the one that listens, unless those who wait come back more often.</summary>
    private static readonly TimeSpan ElectionInterval = FromSeconds(1);

    /// <summary>For how long a connection listens to the second channel after there was late work: longer than it asks for it.</summary>
    private static readonly TimeSpan CallsEnd = FromSeconds(3);

    /// <summary>
    /// How many times longer a wait may last while late work is asked for: needless looks make the batches of the first one smaller.
    /// </summary>
    private const int LongerWait = 60;

    /// <summary>No wait is prolonged beyond this.</summary>
    private static readonly TimeSpan LongWait = FromMinutes(1);

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
    private TimeSpan _maximum = ElectionInterval;
    private volatile bool _isFirst;
    private volatile bool _asksForLate;

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

    private TimeSpan QuestionInterval
    {
        get
        {
            lock (_gate)
                return _maximum < ElectionInterval ? _maximum : ElectionInterval;
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

    /// <summary>
    /// Completes at the next notification, at one that came while nobody waited, at late work, or after the time, prolonged while late
    /// work is asked for.
    /// </summary>
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
            _maximum = maximum;
        }

        var limit = _asksForLate && maximum < LongWait ? FromTicks(Math.Min(LongerWait * maximum.Ticks, LongWait.Ticks)) : maximum;
        try
        {
            await heard.WaitAsync(limit, cancellationToken).ConfigureAwait(false);
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

    private static TaskCompletionSource NewHearing() => new(RunContinuationsAsynchronously);

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
            if (beginListeningAsync is not null)
                await beginListeningAsync(connection, cancellationToken).ConfigureAwait(false);
            if (elects)
                await ElectAsync(connection, cancellationToken).ConfigureAwait(false);
            await ExecuteAsync(connection, $"listen {channel}", cancellationToken).ConfigureAwait(false);
            while (true)
            {
                // What came while nobody listened yet, or any more, is lost: as if it came now.
                Hear();
                await connection.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Asks for the lock and for late work; hears the channel while it holds the lock and somebody waits.</summary>
    private async Task ElectAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        using var question = new NpgsqlCommand(Lock + (late is null ? "false" : $"({late})"), connection);
        question.Parameters.Add(new NpgsqlParameter<int> { TypedValue = LockClass });
        question.Parameters.Add(new NpgsqlParameter<string> { TypedValue = channel });
        long? called = null;
        if (late is null)
            await ExecuteAsync(connection, $"listen {All}", cancellationToken).ConfigureAwait(false);
        var isNew = true;
        try
        {
            while (true)
            {
                // A new connection also ends the failure that those who wait would get from the one before.
                if (!_isFirst && (isNew || IsWaitedFor))
                {
                    var (isFree, isLate) = await AskAsync(question, cancellationToken).ConfigureAwait(false);
                    _isFirst = isFree;
                    _asksForLate = !isFree && late is not null;
                    if (isFree)
                        await ExecuteAsync(connection, $"listen {channel}", cancellationToken).ConfigureAwait(false);
                    called = await FollowCallsAsync(connection, isLate, called, cancellationToken).ConfigureAwait(false);
                    if (isFree || isLate || isNew)
                        Hear();
                    isNew = false;
                }

                // The first is checked by the driver while nothing comes, and the others by the question for the lock.
                var mayWaitLong = _isFirst && !IsUnheard;
                if (mayWaitLong)
                    await connection.WaitAsync(cancellationToken).ConfigureAwait(false);
                var limit = _isFirst ? NobodyWaits : QuestionInterval;
                if (mayWaitLong || await connection.WaitAsync(limit, cancellationToken).ConfigureAwait(false))
                {
                    Hear();
                    if (called is not null)
                        called = Stopwatch.GetTimestamp();
                }

                // The hint is for others when nobody comes for it.
                if (_isFirst && IsUnheard && !IsWaitedFor)
                    await StepDownAsync(connection, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            _isFirst = false;
            _asksForLate = false;
        }
    }

    /// <summary>Listens to what is meant for all from late work on, and no longer when there was none for some time.</summary>
    /// <param name="called">When there was late work or a call; null when it does not listen.</param>
    /// <returns>The new value of <paramref name="called"/>.</returns>
    private async Task<long?> FollowCallsAsync(NpgsqlConnection connection, bool isLate, long? called, CancellationToken cancellationToken)
    {
        if (isLate)
        {
            if (called is null)
                await ExecuteAsync(connection, $"listen {All}", cancellationToken).ConfigureAwait(false);
            return Stopwatch.GetTimestamp();
        }

        if (called is not { } last || Stopwatch.GetElapsedTime(last) < CallsEnd)
            return called;
        await ExecuteAsync(connection, $"unlisten {All}", cancellationToken).ConfigureAwait(false);
        return null;
    }

    /// <summary>The next first one hears what came as if it came then; until it is elected, all look.</summary>
    private async Task StepDownAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        _isFirst = false;
        await ExecuteAsync(connection, $"unlisten {channel}", cancellationToken).ConfigureAwait(false);
        await ExecuteAsync(connection, Unlock, cancellationToken).ConfigureAwait(false);
        await ExecuteAsync(connection, $"notify {All}", cancellationToken).ConfigureAwait(false);
    }

    private static async Task<(bool IsFree, bool IsLate)> AskAsync(NpgsqlCommand question, CancellationToken cancellationToken)
    {
        var reader = await question.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            return (reader.GetBoolean(0), reader.GetBoolean(1));
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

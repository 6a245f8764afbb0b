namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Looks every ten milliseconds at what the engine's sessions wait for, and adds the time since the last look to what each
/// of them does. A thread and a connection of its own, so that neither a busy engine holds the looks up nor the other way
/// round.
/// </summary>
/// <remarks>
/// <para>
/// The pauses are made by the server: a request is several looks, and this process wakes once for all of them. With a
/// request a look it took three hundredths of a processor, more than the looks themselves.
/// </para>
/// <para>
/// All looks are in one transaction: a commit a look would be a hundred commits a second among those of the engine. It
/// holds neither a snapshot nor a lock for longer than a pause, so vacuum and changes of the schema go on.
/// </para>
/// </remarks>
internal sealed class PostgreSqlWaitSampler : IDisposable
{
    private const int LooksOfRequest = 5;

    private readonly Lock _gate = new();
    private readonly SampledWaits _waits = new();
    private readonly PostgreSqlBackendOptions _options;
    private readonly uint _databaseId;
    private readonly Thread _thread;
    private TaskCompletionSource _next = new(RunContinuationsAsynchronously);
    private volatile bool _stopped;
    private volatile int _processId;
    private double _lastLook;
    private double _lastPause;
    private double _idleMicroseconds;
    private long _untold;
    private long _told;
    private string? _missing;
    private TimeSpan _busy;
    private TimeSpan? _processor;

    private PostgreSqlWaitSampler(PostgreSqlBackendOptions options, uint databaseId)
    {
        _options = options;
        _databaseId = databaseId;
        _thread = new Thread(Run) { IsBackground = true, Name = "wait sampler" };
    }

    /// <summary>Time between the pauses: that of the looks, and of the way from the server and back after every few.</summary>
    public TimeSpan Busy
    {
        get
        {
            lock (_gate)
                return _busy;
        }
    }

    /// <summary>The server's process of the sampler's session; 0 before it is open.</summary>
    public int ProcessId => _processId;

    /// <summary>Processor time of the sampler's thread; <see langword="null"/> where the system does not report it.</summary>
    public TimeSpan? Processor
    {
        get
        {
            lock (_gate)
                return _processor;
        }
    }

    public static PostgreSqlWaitSampler Start(PostgreSqlBackendOptions options, uint databaseId)
    {
        var sampler = new PostgreSqlWaitSampler(options, databaseId);
        sampler._thread.Start();
        return sampler;
    }

    /// <summary>Completes when all looks up to now are in, or there will be no more.</summary>
    public Task CatchUpAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
            return _next.Task.WaitAsync(cancellationToken);
    }

    /// <summary>The snapshot with all that was sampled so far.</summary>
    public StatisticsSnapshot AddTo(StatisticsSnapshot snapshot)
    {
        lock (_gate)
        {
            return snapshot with
            {
                Values = new Dictionary<string, Statistic>(snapshot.Values) { ["sessionIdleTime"] = new(_idleMicroseconds, "us") },
                Waits = _waits.ToList(),
                WaitsMissing =
                    _missing ?? (NothingTold ? "track_activities is off, or this user may not see the engine's sessions." : null),
            };
        }
    }

    /// <summary>A session that has just begun tells nothing yet; that none ever does is the server's setting.</summary>
    private bool NothingTold => _untold > 0 && _told == 0;

    public void Dispose()
    {
        _stopped = true;
        _thread.Join();
    }

    private void Run()
    {
        try
        {
            using var source = PostgreSqlStatisticsSession.CreateSource(_options);
            using var connection = source.OpenConnection();
            _processId = connection.ProcessID;
            var scripts = new PostgreSqlScripts(_options.Schema);
            Report(connection, scripts);
            using var transaction = connection.BeginTransaction();
            using var looks = Looks(connection, scripts);
            while (!_stopped)
            {
                Look(looks);
                Complete(last: false);
            }
        }
        catch (Exception e)
        {
            // The outermost frame of a thread: what leaves it ends the process. A connection that breaks between two looks is
            // an InvalidOperationException of the driver, for example.
            lock (_gate)
                _missing = PostgreSqlErrors.Wrap("sample the engine's sessions", e).Message;
        }
        finally
        {
            Complete(last: true);
        }
    }

    /// <summary>One request: the sessions and a pause, several times.</summary>
    private void Look(NpgsqlBatch looks)
    {
        using var reader = looks.ExecuteReader();
        var sessions = new List<Sessions>();
        for (var look = 0; look < LooksOfRequest; look++)
        {
            sessions.Clear();
            while (reader.Read())
                sessions.Add(
                    new(reader.IsDBNull(0) ? null : reader.GetBoolean(0), reader.GetString(1), reader.GetString(2), reader.GetInt64(3))
                );
            reader.NextResult();
            reader.Read();
            Add(sessions, looked: reader.GetDouble(0), woken: reader.GetDouble(3));
            reader.NextResult();
        }

        lock (_gate)
            _processor = ProcessorTimes.OfThisThread() ?? _processor;
    }

    /// <param name="looked">When, in seconds by the server's clock.</param>
    private void Add(List<Sessions> sessions, double looked, double woken)
    {
        lock (_gate)
        {
            // The first look stands for no time; and a clock may be set back.
            var microseconds = _lastLook == 0 ? 0 : Math.Max(0, looked - _lastLook) * 1e6;
            _busy += FromSeconds(_lastPause == 0 ? 0 : Math.Max(0, looked - _lastPause));
            (_lastLook, _lastPause) = (looked, woken);
            foreach (var (idle, kind, name, count) in sessions)
            {
                if (idle is null)
                {
                    _untold += count;
                    continue;
                }

                _told += count;
                if (idle.Value)
                    _idleMicroseconds += microseconds * count;
                else
                    _waits.Add(kind, name, microseconds, count);
            }
        }
    }

    private void Complete(bool last)
    {
        lock (_gate)
        {
            _next.SetResult();
            if (!last)
                _next = new(RunContinuationsAsynchronously);
        }
    }

    private NpgsqlBatch Looks(NpgsqlConnection connection, PostgreSqlScripts scripts)
    {
        var looks = new NpgsqlBatch(connection);
        for (var look = 0; look < LooksOfRequest; look++)
        {
            looks.BatchCommands.Add(
                new(PostgreSqlStatisticsSession.Own(scripts["wait-sample"]))
                {
                    Parameters =
                    {
                        new NpgsqlParameter<uint> { TypedValue = _databaseId, NpgsqlDbType = NpgsqlDbType.Oid },
                        new NpgsqlParameter<string[]> { TypedValue = PostgreSqlStatisticsSession.EngineNames },
                    },
                }
            );
            looks.BatchCommands.Add(new(PostgreSqlStatisticsSession.Own(scripts["wait-pause"])));
        }

        if (!_options.TransactionPooling)
            looks.Prepare();
        return looks;
    }

    /// <summary>Reports the counts of opening the connection before the first sample, and not within a measured window.</summary>
    private static void Report(NpgsqlConnection connection, PostgreSqlScripts scripts)
    {
        if (connection.PostgreSqlVersion.Major < PostgreSqlStatisticsSession.CanForceReports)
            return;
        using var report = new NpgsqlCommand(PostgreSqlStatisticsSession.Own(scripts["statistics-report"]), connection);
        report.ExecuteNonQuery();
    }

    /// <summary>Sessions that do the same.</summary>
    private readonly record struct Sessions(bool? Idle, string Class, string Name, long Count);
}

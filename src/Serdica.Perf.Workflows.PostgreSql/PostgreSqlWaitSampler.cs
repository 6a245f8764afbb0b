using System.Diagnostics;
using System.Globalization;
using Npgsql;
using NpgsqlTypes;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Looks every ten milliseconds at what the engine's sessions wait for, and adds the time since the last look to what each
/// of them does. A thread and a connection of its own, so that neither a busy engine holds the looks up nor the other way
/// round.
/// </summary>
/// <remarks>
/// All looks are in one transaction: a commit a look would be a hundred commits a second among those of the engine. It
/// holds neither a snapshot nor a lock between two looks, so vacuum and changes of the schema go on.
/// </remarks>
internal sealed class PostgreSqlWaitSampler : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan OpeningLimit = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private readonly Dictionary<(string Class, string Name), (double Microseconds, long Count)> _waits = [];
    private readonly ManualResetEvent _stop = new(false);
    private readonly ManualResetEventSlim _opened = new();
    private readonly PostgreSqlBackendOptions _options;
    private readonly uint _databaseId;
    private readonly Thread _thread;
    private double _idleMicroseconds;
    private long _untold;
    private string? _missing;
    private TimeSpan _busy;
    private TimeSpan? _processor;

    private PostgreSqlWaitSampler(PostgreSqlBackendOptions options, uint databaseId)
    {
        _options = options;
        _databaseId = databaseId;
        _thread = new Thread(Run) { IsBackground = true, Name = "wait sampler" };
    }

    /// <summary>Time that looks took, the way to the server and back included.</summary>
    public TimeSpan Busy
    {
        get
        {
            lock (_gate)
                return _busy;
        }
    }

    /// <summary>Processor time of the sampler's thread; <see langword="null"/> where the system does not tell.</summary>
    public TimeSpan? Processor
    {
        get
        {
            lock (_gate)
                return _processor;
        }
    }

    /// <summary>Returns when it has looked once, or can't.</summary>
    public static PostgreSqlWaitSampler Start(PostgreSqlBackendOptions options, uint databaseId)
    {
        var sampler = new PostgreSqlWaitSampler(options, databaseId);
        sampler._thread.Start();
        sampler._opened.Wait(OpeningLimit);
        return sampler;
    }

    /// <summary>The snapshot with all that was sampled so far.</summary>
    public StatisticsSnapshot AddTo(StatisticsSnapshot snapshot)
    {
        lock (_gate)
        {
            return snapshot with
            {
                Values = new Dictionary<string, Statistic>(snapshot.Values) { ["sessionIdleTime"] = new(_idleMicroseconds, "us") },
                Waits = [.. _waits.Select(wait => new WaitTime(wait.Key.Class, wait.Key.Name, wait.Value.Microseconds, wait.Value.Count))],
                WaitsMissing = _missing ?? (_untold > 0 ? "track_activities is off, or this user may not see the engine's sessions." : null),
            };
        }
    }

    public void Dispose()
    {
        _stop.Set();
        _thread.Join();
        _stop.Dispose();
        _opened.Dispose();
    }

    private void Run()
    {
        try
        {
            using var source = PostgreSqlStatisticsSession.CreateSource(_options);
            using var connection = source.OpenConnection();
            var scripts = new PostgreSqlScripts(_options.Schema);
            Report(connection, scripts);
            using var transaction = connection.BeginTransaction();
            using var look = Look(connection, scripts);
            Sample(look);
        }
        catch (Exception e) when (PostgreSqlErrors.IsDriverError(e))
        {
            lock (_gate)
                _missing = PostgreSqlErrors.Wrap("sample the engine's sessions", e).Message;
        }
        finally
        {
            _opened.Set();
        }
    }

    private void Sample(NpgsqlBatch look)
    {
        var last = Stopwatch.GetTimestamp();
        var spent = TimeSpan.Zero;
        do
        {
            var begin = Stopwatch.GetTimestamp();
            var sessions = Read(look);
            var now = Stopwatch.GetTimestamp();
            Add(sessions, Stopwatch.GetElapsedTime(last, now));
            last = now;
            spent = Stopwatch.GetElapsedTime(begin, now);
            lock (_gate)
            {
                _busy += spent;
                _processor = ThreadTime() ?? _processor;
            }

            _opened.Set();
        }
        while (!_stop.WaitOne(spent < Period / 2 ? Period - spent : Period / 2));
    }

    private void Add(List<Sessions> looked, TimeSpan elapsed)
    {
        lock (_gate)
        {
            foreach (var (idle, kind, name, count) in looked)
            {
                var microseconds = elapsed.TotalMicroseconds * count;
                if (idle is null)
                    _untold += count;
                else if (idle.Value)
                    _idleMicroseconds += microseconds;
                else
                {
                    var (before, samples) = _waits.GetValueOrDefault((kind, name));
                    _waits[(kind, name)] = (before + microseconds, samples + count);
                }
            }
        }
    }

    private NpgsqlBatch Look(NpgsqlConnection connection, PostgreSqlScripts scripts)
    {
        var look = new NpgsqlBatch(connection)
        {
            BatchCommands =
            {
                new NpgsqlBatchCommand(PostgreSqlStatisticsSession.Own(scripts["wait-sample"]))
                {
                    Parameters =
                    {
                        new NpgsqlParameter<uint> { TypedValue = _databaseId, NpgsqlDbType = NpgsqlDbType.Oid },
                        new NpgsqlParameter<string[]> { TypedValue = PostgreSqlStatisticsSession.EngineNames },
                    },
                },
                new NpgsqlBatchCommand(PostgreSqlStatisticsSession.Own(scripts["wait-clear"])),
            },
        };
        if (!_options.TransactionPooling)
            look.Prepare();
        return look;
    }

    private static List<Sessions> Read(NpgsqlBatch look)
    {
        var sessions = new List<Sessions>();
        using var reader = look.ExecuteReader();
        while (reader.Read())
            sessions.Add(new(reader.IsDBNull(0) ? null : reader.GetBoolean(0), reader.GetString(1), reader.GetString(2), reader.GetInt64(3)));
        return sessions;
    }

    /// <summary>What opening the connection has counted is told before the first look, and not within a measured window.</summary>
    private static void Report(NpgsqlConnection connection, PostgreSqlScripts scripts)
    {
        if (connection.PostgreSqlVersion.Major < PostgreSqlStatisticsSession.CanForceReports)
            return;
        using var report = new NpgsqlCommand(PostgreSqlStatisticsSession.Own(scripts["statistics-report"]), connection);
        report.ExecuteNonQuery();
    }

    /// <summary>Of the thread that asks; the first number of the file is nanoseconds on a processor.</summary>
    private static TimeSpan? ThreadTime()
    {
        try
        {
            var text = File.ReadAllText("/proc/thread-self/schedstat");
            return TimeSpan.FromMicroseconds(long.Parse(text.AsSpan(0, text.IndexOf(' ')), CultureInfo.InvariantCulture) / 1000);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            return null;
        }
    }

    /// <summary>Sessions that do the same.</summary>
    private readonly record struct Sessions(bool? Idle, string Class, string Name, long Count);
}

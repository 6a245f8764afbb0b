namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The one connection that statistics are read over. Kept open, so that its own commits are known; not thread-safe.</summary>
internal sealed class PostgreSqlStatisticsSession : IAsyncDisposable
{
    public const string ApplicationName = "serdica-perf-statistics";

    /// <summary>The first version in which a session can be made to report its counts.</summary>
    public const int CanForceReports = 15;

    /// <summary>What the sessions of the engine call themselves.</summary>
    public static readonly string[] EngineNames = [PostgreSqlConnections.HotName, PostgreSqlConnections.PlainName];

    private readonly NpgsqlDataSource _source;
    private readonly PostgreSqlScripts _scripts;
    private readonly string _schema;
    private NpgsqlConnection? _connection;
    private string? _statementsSchema;
    private double _profileMicroseconds;
    private long _ownCommits;

    public PostgreSqlStatisticsSession(PostgreSqlBackendOptions options)
    {
        _schema = options.Schema;
        _scripts = new PostgreSqlScripts(options.Schema);
        _source = CreateSource(options);
    }

    /// <summary>The major version of the server.</summary>
    public int Version => _connection!.PostgreSqlVersion.Major;

    /// <summary>The server's process of this session.</summary>
    public int ProcessId => _connection!.ProcessID;

    public uint DatabaseId { get; private set; }

    /// <summary>Whether the extension <c>pg_wait_sampling</c> tells the waits.</summary>
    public bool HasWaitProfile { get; private set; }

    /// <summary>Time that reads took, the way to the server and back included.</summary>
    public TimeSpan Busy { get; private set; }

    /// <summary>Not pooled: a pooled one would be reset, and the reset would count.</summary>
    public static NpgsqlDataSource CreateSource(PostgreSqlBackendOptions options) =>
        BuiltInTypes.CreateSource(
            new NpgsqlConnectionStringBuilder(options.ConnectionString)
            {
                Pooling = false,
                ApplicationName = ApplicationName,
            }.ConnectionString
        );

    /// <summary>
    /// Marks a statement as our own, so that it is found, and left out, among the costly ones. The mark is at the end:
    /// PostgreSQL 18 keeps the text of a statement from its first word on.
    /// </summary>
    public static string Own(string sql) => $"{sql} /* {ApplicationName} */";

    public async Task OpenAsync(CancellationToken cancellationToken)
    {
        if (_connection is not null)
            return;

        _connection = await _source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await ReadAsync(
                Command("statistics-facts"),
                reader =>
                {
                    DatabaseId = reader.GetFieldValue<uint>(0);
                    _statementsSchema = reader.IsDBNull(1) ? null : reader.GetString(1);
                    HasWaitProfile = reader.GetBoolean(2);
                    _profileMicroseconds = reader.GetDouble(3) * 1000;
                    return true;
                },
                cancellationToken
            )
            .ConfigureAwait(false);
    }

    public async Task CloseAsync()
    {
        if (_connection is { } connection)
        {
            _connection = null;
            await connection.DisposeAsync().ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        await _source.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Reads all figures that this version has, in one round trip and one transaction.</summary>
    public async Task<Dictionary<string, Statistic>> ReadFiguresAsync(TimeSpan lag, CancellationToken cancellationToken)
    {
        var own = _ownCommits;
        var rows = await ReadAsync(
                [.. PostgreSqlFigures.ScriptsOf(Version).Select(Figures)],
                static reader =>
                    Enumerable
                        .Range(0, reader.FieldCount)
                        .Select(column =>
                            (Name: reader.GetName(column), Value: reader.IsDBNull(column) ? (double?)null : reader.GetDouble(column))
                        )
                        .ToArray(),
                cancellationToken
            )
            .ConfigureAwait(false);
        var answers = rows.SelectMany(static row => row).ToDictionary(static figure => figure.Name, static figure => figure.Value);
        answers["commits"] -= own;
        return PostgreSqlFigures.Of(answers, lag);
    }

    public async Task<(IReadOnlyList<StatementCost> Statements, string? Missing)> ReadStatementsAsync(CancellationToken cancellationToken)
    {
        if (_statementsSchema is null)
            return (
                [],
                "The extension pg_stat_statements is not in this database: name it in shared_preload_libraries, restart, and run 'create "
                    + "extension pg_stat_statements'."
            );

        try
        {
            var statements = await ReadAsync(
                    Command("statistics-statements", new NpgsqlParameter<string> { TypedValue = _schema }),
                    static reader => new StatementCost(
                        reader.GetString(0),
                        reader.GetInt64(1),
                        reader.GetDouble(2),
                        reader.GetInt64(3),
                        reader.GetDouble(4)
                    ),
                    cancellationToken
                )
                .ConfigureAwait(false);
            return (statements, null);
        }
        catch (PostgresException e) when (e.SqlState == PostgresErrorCodes.ObjectNotInPrerequisiteState)
        {
            return (
                [],
                "pg_stat_statements is in this database, but was not loaded at the start: name it in shared_preload_libraries and restart."
            );
        }
    }

    /// <summary>What <c>pg_wait_sampling</c> has sampled; each sample stands for the period of its profile.</summary>
    public async Task<IReadOnlyList<WaitTime>> ReadWaitsAsync(CancellationToken cancellationToken) =>
        await ReadAsync(
                Command(
                    "wait-profile",
                    new NpgsqlParameter<uint> { TypedValue = DatabaseId, NpgsqlDbType = NpgsqlDbType.Oid },
                    new NpgsqlParameter<string[]> { TypedValue = EngineNames }
                ),
                reader => new WaitTime(
                    reader.GetString(0),
                    reader.GetString(1),
                    reader.GetInt64(2) * _profileMicroseconds,
                    reader.GetInt64(2)
                ),
                cancellationToken
            )
            .ConfigureAwait(false);

    private NpgsqlBatchCommand Figures(string script) =>
        script switch
        {
            "statistics-relations" => Command(script, new NpgsqlParameter<string> { TypedValue = _schema }),
            "statistics-sessions" => Command(script, new NpgsqlParameter<string> { TypedValue = ApplicationName }),
            _ => Command(script),
        };

    private NpgsqlBatchCommand Command(string script, params ReadOnlySpan<NpgsqlParameter> parameters)
    {
        var command = new NpgsqlBatchCommand(Own(_scripts[script].Replace("{extension}", _statementsSchema, Ordinal)));
        foreach (var parameter in parameters)
            command.Parameters.Add(parameter);
        return command;
    }

    private Task<List<T>> ReadAsync<T>(NpgsqlBatchCommand command, Func<NpgsqlDataReader, T> read, CancellationToken cancellationToken) =>
        ReadAsync([command], read, cancellationToken);

    /// <summary>
    /// Reads all rows of all commands, in one round trip and one transaction, and hands over what this session itself has
    /// counted, so that the next read sees all commits of those before it and none is left to come.
    /// </summary>
    private async Task<List<T>> ReadAsync<T>(
        NpgsqlBatchCommand[] commands,
        Func<NpgsqlDataReader, T> read,
        CancellationToken cancellationToken
    )
    {
        var begin = Stopwatch.GetTimestamp();
        var rows = new List<T>();
        var batch = new NpgsqlBatch(_connection);
        await using (batch.ConfigureAwait(false))
        {
            foreach (var command in commands)
                batch.BatchCommands.Add(command);
            if (Version >= CanForceReports)
                batch.BatchCommands.Add(Command("statistics-report"));
            var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                for (var answer = 0; answer < commands.Length; answer++)
                {
                    while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                        rows.Add(read(reader));
                    await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
                }
            }
        }

        _ownCommits++;
        Busy += Stopwatch.GetElapsedTime(begin);
        return rows;
    }
}

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// Counters of an Oracle server: of the connected container where it has views by container, else of the whole instance.
/// What the user may not see has a sentence in place of a value. <c>databaseTime</c> and <c>databaseCpu</c> are of
/// foreground sessions, in milliseconds.
/// </summary>
/// <remarks>Background work such as the log writer's is expected to be missing from the views by container.</remarks>
internal sealed class OracleStatistics : IBackendStatistics
{
    private const string Grant = "GRANT SELECT_CATALOG_ROLE to the user to see it.";

    /// <summary>The longest time by which the published times of a running call lag behind.</summary>
    private static readonly TimeSpan TimesLag = FromSeconds(5);

    private readonly OracleConnections _connections;
    private readonly List<OracleWorkflowBackend> _watched = [];

    /// <exception cref="ArgumentException">An option cannot be used.</exception>
    /// <exception cref="WorkflowBackendException">The driver is not in this build.</exception>
    public OracleStatistics(OracleBackendOptions options)
    {
        options.Validate();
        _connections = new OracleConnections(options, new OracleScripts(options.Prefix));
    }

    /// <summary>From now on the hints of this backend are counted. It may be disposed at any time.</summary>
    public void Watch(OracleWorkflowBackend backend)
    {
        lock (_watched)
            _watched.Add(backend);
    }

    public async Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        try
        {
            var session = await _connections.OpenAsync(cancellationToken).ConfigureAwait(false);
            await using (session.ConfigureAwait(false))
            {
                var snapshot = await ReadAsync(session, depth, cancellationToken).ConfigureAwait(false);
                return snapshot with { Values = new Dictionary<string, Statistic>([.. snapshot.Values, .. Hints()]) };
            }
        }
        catch (Exception e) when (OracleErrors.IsDriverError(e))
        {
            throw OracleErrors.Wrap("read the server's statistics", e);
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>Whether counters are of the connected container alone.</summary>
    internal static async Task<bool> IsByContainerAsync(OracleSession session, CancellationToken cancellationToken) =>
        (await TryQueryAsync(session, "statistics-counters", static _ => 0, cancellationToken).ConfigureAwait(false)).Rows is not null;

    internal static async Task<StatisticsSnapshot> ReadAsync(
        OracleSession session,
        SnapshotDepth depth,
        CancellationToken cancellationToken
    )
    {
        var values = new Dictionary<string, Statistic>();
        await AddCountersAsync(session, values, cancellationToken).ConfigureAwait(false);
        await AddTimesAsync(session, values, cancellationToken).ConfigureAwait(false);
        await AddCountAsync(session, values, "sessions", "statistics-sessions", cancellationToken).ConfigureAwait(false);
        await AddCountAsync(session, values, "processes", "statistics-processes", cancellationToken).ConfigureAwait(false);
        IReadOnlyList<StatementCost> statements = [];
        string? statementsMissing = "A sample has none.";
        if (depth == SnapshotDepth.Full)
        {
            await AddBacklogAsync(session, values, cancellationToken).ConfigureAwait(false);
            await OracleQueueFigures.AddAsync(session, values, cancellationToken).ConfigureAwait(false);
            (statements, statementsMissing) = await OracleTopStatements.ReadAsync(session, cancellationToken).ConfigureAwait(false);
        }

        var waits = await ByContainerAsync(
                session,
                "statistics-waits",
                static reader => new WaitTime(reader.GetString(1), reader.GetString(0), Number(reader, 3), (long)Number(reader, 2)),
                cancellationToken
            )
            .ConfigureAwait(false);
        return new(values)
        {
            Waits = waits.Rows ?? [],
            WaitsMissing = waits.Missing,
            Statements = statements,
            StatementsMissing = statementsMissing,
        };
    }

    private KeyValuePair<string, Statistic>[] Hints()
    {
        lock (_watched)
        {
            return
            [
                new("hintsLeft", new Statistic(_watched.Sum(static backend => backend.Hints.Left))),
                new("hintsHeard", new Statistic(_watched.Sum(static backend => backend.Hints.Heard))),
            ];
        }
    }

    private static async Task AddCountersAsync(
        OracleSession session,
        Dictionary<string, Statistic> values,
        CancellationToken cancellationToken
    )
    {
        var found = await ByContainerAsync(session, "statistics-counters", Pair, cancellationToken).ConfigureAwait(false);
        foreach (var counter in OracleNames.Counters)
            values[counter.Name] = Value(found, counter, TimeSpan.Zero);
    }

    private static async Task AddTimesAsync(
        OracleSession session,
        Dictionary<string, Statistic> values,
        CancellationToken cancellationToken
    )
    {
        var found = await ByContainerAsync(session, "statistics-times", Pair, cancellationToken).ConfigureAwait(false);
        foreach (var (server, name) in OracleNames.Times)
            values[name] = Value(found, new OracleFigure(server, name, "ms", Factor: 0.001), TimesLag);
    }

    private static async Task AddCountAsync(
        OracleSession session,
        Dictionary<string, Statistic> values,
        string name,
        string script,
        CancellationToken cancellationToken
    )
    {
        var (rows, missing) = await TryQueryAsync(session, script, static reader => Number(reader, 0), cancellationToken)
            .ConfigureAwait(false);
        values[name] = new Statistic(rows?[0], Missing: missing, IsGauge: true);
    }

    /// <summary>Messages of all queues of the store, by state. Only committed ones count.</summary>
    private static async Task AddBacklogAsync(
        OracleSession session,
        Dictionary<string, Statistic> values,
        CancellationToken cancellationToken
    )
    {
        var (rows, missing) = await TryQueryAsync(
                session,
                "backlog",
                static reader => (State: (int)Number(reader, 1), Messages: Number(reader, 2)),
                cancellationToken
            )
            .ConfigureAwait(false);
        for (var state = 0; state < OracleNames.BacklogStates.Count; state++)
        {
            double? messages = rows is null ? null : rows.Where(row => row.State == state).Sum(row => row.Messages);
            values[OracleNames.BacklogStates[state]] = new Statistic(messages, Missing: missing, IsGauge: true);
        }
    }

    private static Statistic Value((List<(string Name, double Value)>? Rows, string? Missing) found, OracleFigure figure, TimeSpan lag)
    {
        if (found.Rows is null)
            return new Statistic(null, figure.Unit, found.Missing, lag);
        var at = found.Rows.FindIndex(row => row.Name == figure.Server);
        return at < 0
            ? new Statistic(null, figure.Unit, $"The server has no statistic '{figure.Server}'.", lag)
            : new Statistic(found.Rows[at].Value * figure.Factor, figure.Unit, null, lag);
    }

    /// <summary>Reads the view of the container, or where there is none, that of the instance.</summary>
    private static async Task<(List<TRow>? Rows, string? Missing)> ByContainerAsync<TRow>(
        OracleSession session,
        string script,
        Func<DbDataReader, TRow> read,
        CancellationToken cancellationToken
    )
    {
        var found = await TryQueryAsync(session, script, read, cancellationToken).ConfigureAwait(false);
        return found.Rows is not null
            ? found
            : await TryQueryAsync(session, $"{script}-instance", read, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>A view that the user may not read looks as if there were none.</summary>
    internal static async Task<(List<TRow>? Rows, string? Missing)> TryQueryAsync<TRow>(
        OracleSession session,
        string script,
        Func<DbDataReader, TRow> read,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return (await session.QueryAsync(OracleStatement.Plain(script), [], read, cancellationToken).ConfigureAwait(false), null);
        }
        catch (DbException e) when (OracleErrors.KindOf(e) == OracleErrorKind.Permanent)
        {
            var isHidden = OracleErrors.Has(e, OracleErrors.MissingTable) || OracleErrors.Has(e, OracleErrors.InsufficientPrivileges);
            return (
                null,
                isHidden
                    ? $"The user may not read what {script}.sql asks for. {Grant}"
                    : $"The server did not answer {script}.sql: {e.Message.Trim()}"
            );
        }
    }

    private static (string Name, double Value) Pair(DbDataReader reader) => (reader.GetString(0), Number(reader, 1));

    internal static double Number(DbDataReader reader, int column) =>
        Convert.ToDouble(reader.GetValue(column), CultureInfo.InvariantCulture);
}

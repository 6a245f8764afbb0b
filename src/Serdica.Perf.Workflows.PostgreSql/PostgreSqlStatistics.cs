namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Figures of a PostgreSQL server about one schema, the database that it is in, and the server as a whole.
/// </summary>
/// <remarks>
/// <para>
/// Sessions report their counts late: after up to 1 s while they work, after up to 10 s when they are idle. Before a
/// <see cref="SnapshotDepth.Full"/> snapshot the sessions of the watched backends are made to report them, so that its
/// figures are exact; those of a <see cref="SnapshotDepth.Sample"/> are up to a second late. <c>writingCommits</c> and
/// <c>walBytes</c> come from elsewhere and are always exact.
/// </para>
/// <para>
/// Waits come from the extension <c>pg_wait_sampling</c> where it is, else from a sampler of our own that runs from the
/// first full snapshot on. What the statistics do themselves is not in <c>commits</c>, in the waits and in the statements.
/// </para>
/// </remarks>
internal sealed class PostgreSqlStatistics : IBackendStatistics
{
    /// <summary>The longest time for which a session at work holds its counts back.</summary>
    private static readonly TimeSpan ReportInterval = FromSeconds(1);

    private readonly PostgreSqlBackendOptions _options;
    private readonly int? _serverProcessId;
    private readonly PostgreSqlStatisticsSession _session;
    private readonly PostgreSqlRoundTrips _roundTrips;
    private readonly List<PostgreSqlWorkflowBackend> _watched = [];
    private EngineCounts _forgotten;
    private readonly SemaphoreSlim _turn = new(1, 1);
    private PostgreSqlWaitSampler? _sampler;
    private PostgreSqlReports _handOvers;

    /// <param name="serverProcessId">
    /// The server's first process, when it is on this machine: the processor time that the server spends on the statistics
    /// is then told.
    /// </param>
    public PostgreSqlStatistics(PostgreSqlBackendOptions options, int? serverProcessId = null)
    {
        options.Validate();
        _options = options;
        _serverProcessId = serverProcessId;
        _session = new PostgreSqlStatisticsSession(options);
        _roundTrips = new PostgreSqlRoundTrips(options.ConnectionString);
    }

    /// <summary>
    /// From now on the sessions of this backend hand their counts over before a full snapshot. It may be disposed at any time.
    /// </summary>
    public void Watch(PostgreSqlWorkflowBackend backend)
    {
        lock (_watched)
            _watched.Add(backend);
    }

    public async Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ReadAsync(depth, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (PostgreSqlErrors.IsDriverError(e))
        {
            await _session.CloseAsync().ConfigureAwait(false);
            throw PostgreSqlErrors.Wrap("read the server's statistics", e);
        }
        catch (OperationCanceledException)
        {
            await _session.CloseAsync().ConfigureAwait(false);
            throw;
        }
        finally
        {
            _turn.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        _sampler?.Dispose();
        _roundTrips.Dispose();
        await _session.DisposeAsync().ConfigureAwait(false);
        _turn.Dispose();
    }

    private async Task<StatisticsSnapshot> ReadAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        await _session.OpenAsync(cancellationToken).ConfigureAwait(false);
        var isFull = depth == SnapshotDepth.Full;

        // Before the figures are read, so that the commits of its opening are in none of their differences.
        if (isFull && !_session.HasWaitProfile)
        {
            _sampler ??= PostgreSqlWaitSampler.Start(_options, _session.DatabaseId);
            await _sampler.CatchUpAsync(cancellationToken).ConfigureAwait(false);
        }

        var lag = isFull && await HandOverAsync(cancellationToken).ConfigureAwait(false) ? TimeSpan.Zero : ReportInterval;
        var values = await _session.ReadFiguresAsync(lag, cancellationToken).ConfigureAwait(false);
        values["commits"] = values["commits"] with { Value = values["commits"].Value - _handOvers.Commits };
        values["roundTrips"] = new(_roundTrips.Count - _handOvers.RoundTrips);

        var engine = CountsOfEngine();
        values["vacuumsWithoutEffect"] = new(engine.VacuumsWithoutEffect);
        values["unreadBatches"] = new(engine.UnreadBatches);
        values["refusedBatches"] = new(engine.RefusedBatches);

        var snapshot = new StatisticsSnapshot(values) { StatementsMissing = "A sample has none." };
        if (isFull)
        {
            var (statements, missing) = await _session.ReadStatementsAsync(cancellationToken).ConfigureAwait(false);
            snapshot = snapshot with { Statements = statements, StatementsMissing = missing };
        }

        values["collectorTime"] = new((_session.Busy + (_sampler?.Busy ?? TimeSpan.Zero)).TotalMilliseconds, "ms");
        values["collectorCpu"] = OwnProcessorTime();
        return await AddWaitsAsync(snapshot, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Processor time of the sampler's thread, and of the server's processes of our sessions where they are visible.</summary>
    private Statistic OwnProcessorTime()
    {
        TimeSpan?[] parts =
        [
            _sampler?.Processor,
            ProcessorTimes.OfSession(_serverProcessId, _session.ProcessId),
            ProcessorTimes.OfSession(_serverProcessId, _sampler?.ProcessId ?? 0),
        ];
        return parts.Any(part => part is not null)
            ? new(parts.Sum(part => part?.TotalMilliseconds ?? 0), "ms")
            : new(null, "ms", "The system does not report it for single threads.");
    }

    private async Task<StatisticsSnapshot> AddWaitsAsync(StatisticsSnapshot snapshot, CancellationToken cancellationToken)
    {
        if (_session.HasWaitProfile)
            return snapshot with { Waits = await _session.ReadWaitsAsync(cancellationToken).ConfigureAwait(false) };
        return _sampler?.AddTo(snapshot) ?? snapshot with { WaitsMissing = "Nothing is sampled before the first full snapshot." };
    }

    private EngineCounts CountsOfEngine()
    {
        lock (_watched)
            return _watched.Aggregate(_forgotten, static (sum, backend) => sum + backend.Counts);
    }

    /// <returns>Whether all that the watched backends have done is in the statistics now.</returns>
    private async Task<bool> HandOverAsync(CancellationToken cancellationToken)
    {
        PostgreSqlWorkflowBackend[] watched;
        lock (_watched)
            watched = [.. _watched];

        // Behind a pooler it is unknown which session of the server did the work. Up to version 14 a session cannot be made to
        // report: it sends its counts with a statement half a second after its last report, and the collector writes them later.
        if (watched.Length == 0 || _options.TransactionPooling || _session.Version < PostgreSqlStatisticsSession.CanForceReports)
            return false;

        var all = true;
        foreach (var backend in watched)
        {
            try
            {
                var report = await backend.ReportStatisticsAsync(cancellationToken).ConfigureAwait(false);
                _handOvers += report;
                all &= report.All;
            }
            catch (ObjectDisposedException)
            {
                // Its sessions have ended, and have handed over as they did.
                lock (_watched)
                {
                    _watched.Remove(backend);
                    _forgotten += backend.Counts;
                }
            }
        }

        return all;
    }
}

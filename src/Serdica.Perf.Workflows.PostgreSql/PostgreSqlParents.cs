namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Parents of instances that a transaction closes: it holds those that are free, in one round trip more, and has them decided with
/// the reports of their children. It waits for none of them, whatever it holds already.
/// </summary>
/// <param name="decide">Decides the parents; null: all reports are stored.</param>
internal readonly struct PostgreSqlParents(PostgreSqlSession session, DecideBatch? decide, long maxBytes, CancellationToken abandoned)
{
    /// <returns>The parents that were decided.</returns>
    public ValueTask<IReadOnlyList<HeldUpdate>> DecideAsync(
        ClaimedBatch batch,
        IReadOnlyList<Decision> decisions,
        CancellationToken cancellationToken
    ) =>
        decide is not null && batch.ReportsToParents(decisions) is { } reports
            ? new(DecideAsync(decide, reports, cancellationToken))
            : new([]);

    private async Task<IReadOnlyList<HeldUpdate>> DecideAsync(
        DecideBatch decideParents,
        IReadOnlyDictionary<Guid, List<Signal>> reports,
        CancellationToken cancellationToken
    )
    {
        var held = await HoldAsync([.. reports.Keys], cancellationToken).ConfigureAwait(false);
        if (held.All.Count == 0)
            return [];
        HeldInstance[] parents = [.. held.All];
        foreach (var parent in parents)
        {
            foreach (var report in reports[parent.Claimed.Instance.Id])
                parent.Claimed.Signals.Add(report with { Due = Due.AtTime(held.Now) });
        }

        var batch = new ClaimedBatch(held.Now, [.. parents.Select(static parent => parent.Claimed)]);
        var decisions = await session.DecideAsync(decideParents, batch, abandoned).ConfigureAwait(false);
        var decided = new List<HeldUpdate>(parents.Length);
        for (var i = 0; i < parents.Length; i++)
        {
            if (decisions[i].Instance is not null)
                decided.Add(new HeldUpdate(decisions[i], parents[i].Place));
        }

        return decided;
    }

    private async Task<HeldInstances> HoldAsync(Guid[] ids, CancellationToken cancellationToken)
    {
        var batch = session.NextBatch();
        var held = new HeldInstances();
        held.AddTo(batch, session.Statements, ids, maxBytes);
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
            await held.ReadAsync(reader, cancellationToken).ConfigureAwait(false);
        return held;
    }
}

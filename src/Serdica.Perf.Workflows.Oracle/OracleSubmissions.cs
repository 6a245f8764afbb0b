namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// Makes starts and signals durable. A batch that fits one document is one round trip, commit included: outside a
/// transaction the driver commits with the call. A larger one is a call for each document, and a commit.
/// </summary>
internal sealed class OracleSubmissions(OracleConnections connections)
{
    public async Task SubmitAsync(IReadOnlyList<Submission> items, CancellationToken cancellationToken)
    {
        var batch = new OracleBatch();
        var starts = AddStarts(batch, [.. items.OfType<StartSubmission>()]);
        var signals = AddSignals(batch, [.. items.OfType<SignalSubmission>()]);
        await WriteAsync(batch, cancellationToken).ConfigureAwait(false);

        foreach (var (start, place) in starts)
        {
            var result = batch[place];
            if (result.Outcome != 0 && result.Id != start.Decision.Instance!.Id)
                start.Existing = new ExistingInstance(result.Id, result.Definition!);
        }

        foreach (var (signal, place) in signals)
            signal.Outcome = (PublishOutcome)batch[place].Outcome;
    }

    /// <summary>Writes a batch in one commit.</summary>
    public Task<bool> WriteAsync(OracleBatch batch, CancellationToken cancellationToken) =>
        batch.IsEmpty
            ? Task.FromResult(true)
            : connections.UseAsync(session => WriteAsync(session, batch, cancellationToken), cancellationToken);

    private static async Task<bool> WriteAsync(OracleSession session, OracleBatch batch, CancellationToken cancellationToken)
    {
        if (!batch.NeedsTransaction)
            return await batch.WriteAsync(session, cancellationToken).ConfigureAwait(false);
        await session.BeginAsync(cancellationToken).ConfigureAwait(false);
        await batch.WriteAsync(session, cancellationToken).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        await session.CommitAsync().ConfigureAwait(false);
        return true;
    }

    private static List<(StartSubmission Start, int Place)> AddStarts(OracleBatch batch, List<StartSubmission> starts)
    {
        // All batches bring their keys in the same order, or two that share two keys would wait for each other.
        var placed = starts
            .OrderBy(start => start.Decision.Instance!.BusinessKey, StringComparer.Ordinal)
            .Select(start => (start, batch.Start(start.Decision.Instance!)))
            .ToList();
        var writes = new OracleWrites(batch);
        starts.ForEach(start => writes.AddConsequences(start.Decision));
        writes.Append();
        return placed;
    }

    private static List<(SignalSubmission Signal, int Place)> AddSignals(OracleBatch batch, List<SignalSubmission> signals) =>
        // The dedup key first: one batch may name an instance by its id, and another by its business key.
        [
            .. signals
                .OrderBy(signal => signal.DedupKey is not null)
                .ThenBy(signal => signal.DedupKey, StringComparer.Ordinal)
                .ThenBy(signal => signal.DedupKey is null ? default : signal.Signal.InstanceId)
                .ThenBy(signal => signal.DedupKey is null ? null : signal.BusinessKey, StringComparer.Ordinal)
                .Select(signal => (signal, batch.Publish(signal))),
        ];
}

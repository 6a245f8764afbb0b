namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Claim, load, decide and write: three round trips, of which one waits for the log.</summary>
internal sealed class MongoDbClaims(IDocumentDatabase database, ServerClock clock, MongoDbClaimer claimer)
{
    /// <summary>So often a withdrawn lease may be prolonged under our hands.</summary>
    private const int MaxTries = 10;

    public async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        var claim = await claimer.ClaimAsync(request, cancellationToken).ConfigureAwait(false);
        if (claim.IsEmpty)
            return new ProcessOutcome(0, NextDue: claim.NextDue);

        var written = false;
        try
        {
            // What is left of purged instances is dropped.
            var decisions =
                claim.Instances.Count == 0 ? [] : await decide(new ClaimedBatch(claim.Now, claim.Instances)).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            written = await WriteAsync(claim, decisions).ConfigureAwait(false);
            if (!written)
                return new ProcessOutcome(0, Conflict: true);
            var signals = claim.Instances.Sum(static instance => instance.Signals.Count);
            return new ProcessOutcome(signals, NextDue: signals == 0 || claim.Bytes >= request.MaxBytes ? TimeSpan.Zero : null);
        }
        finally
        {
            await claimer.ForgetAsync(claim, written).ConfigureAwait(false);
        }
    }

    /// <summary>From here on a cancellation would leave the outcome open.</summary>
    private async Task<bool> WriteAsync(Claim claim, IReadOnlyList<Decision> decisions)
    {
        if (claim.Gone.Count > 0)
            await database.DeleteBelongingsAsync(claim.Gone, CancellationToken.None).ConfigureAwait(false);
        for (var tries = 0; tries < MaxTries; tries++)
        {
            var keys = await database.FindWithdrawnAsync(decisions, claim.Keys, CancellationToken.None).ConfigureAwait(false);
            var writes = new MongoDbWrites(claim.Now, clock.UpperBound);
            writes.AddFirst(ClaimDocuments.Fence(claim.Ids, claim.Token));
            writes.Delete(Collections.Signals, [.. claim.Keys, .. keys]);
            foreach (var decision in decisions)
                writes.AddUpdate(decision);
            await database.CopyKeysAsync(decisions, [], writes, CancellationToken.None).ConfigureAwait(false);
            if (await database.WriteAsync(writes.ToList(), CancellationToken.None).ConfigureAwait(false))
                return true;

            // Somebody has changed an instance, or, which is nobody's fault, has prolonged a lease that is withdrawn.
            if (keys.Count == 0)
                return false;
        }

        return false;
    }
}

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Claims bucket by bucket, those in turn that may have something due. A call takes from one bucket alone when it is asked to
/// (<see cref="ClaimRequest.OnePart"/>): its transaction is then of one node. Others may take from many, and commit in two phases.
/// </summary>
internal sealed class BucketClaims(BucketTurns turns)
{
    private readonly Watermarks[] _watermarks = [.. Buckets.All.Select(static _ => new Watermarks(TimeProvider.System))];
    private readonly ClaimSize _size = new();

    public async Task<ProcessOutcome> ProcessAsync(
        PostgreSqlSession session,
        ClaimRequest request,
        DecideBatch decide,
        CancellationToken cancellationToken
    )
    {
        var claims = new List<BucketClaim>();
        try
        {
            var hasLooked = request.FullPoll || turns.NeedLook;
            if (hasLooked)
                await turns.LookAsync(session, session.Statements.DueSignals, cancellationToken).ConfigureAwait(false);
            while (!await ClaimAsync(session, claims, request, cancellationToken).ConfigureAwait(false))
            {
                if (hasLooked)
                    return new ProcessOutcome(0, NextDue: turns.NextDue);
                hasLooked = true;
                await turns.LookAsync(session, session.Statements.DueSignals, cancellationToken).ConfigureAwait(false);
            }

            return await DecideAsync(session, claims, request, decide, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            // They are as they were.
            claims.ForEach(claim => turns.MayBeDue(claim.Bucket));
            throw;
        }
    }

    /// <returns>Whether anything came; if not, no transaction is open.</returns>
    private async Task<bool> ClaimAsync(
        PostgreSqlSession session,
        List<BucketClaim> claims,
        ClaimRequest request,
        CancellationToken cancellationToken
    )
    {
        claims.Clear();
        var (signals, bytes, found) = (0, 0L, false);
        while (signals < request.MaxSignals && bytes < request.MaxBytes && !(found && request.OnePart) && turns.TryTake(out var bucket))
        {
            var rest = request with { MaxSignals = request.MaxSignals - signals, MaxBytes = request.MaxBytes - bytes };
            var watermark = _watermarks[Buckets.IndexOf(bucket)].Of(request);
            var claim = new BucketClaim(bucket, watermark, watermark.Next(full: request.FullPoll), _size.Of(rest), rest);
            claims.Add(claim);
            var statement = session.Statements.Claim(claim.Poll.From, claim.Size, rest, bucket);
            claim.Rows = await PostgreSqlClaims
                .ClaimAsync(session, statement, begin: claims.Count == 1, cancellationToken)
                .ConfigureAwait(false);
            signals += claim.Rows.Signals;
            bytes += claim.Rows.Bytes;
            found |= claim.Rows.Signals > 0;

            // To Citus a claim is a write, even one that takes nothing: another node would make the commit one of two phases.
            if (request.OnePart && !found)
                await EndAsync(session, claims, cancellationToken).ConfigureAwait(false);
        }

        if (!found)
            await EndAsync(session, claims, cancellationToken).ConfigureAwait(false);
        return found;
    }

    /// <summary>Ends the transaction of claims that have taken nothing, if there is one.</summary>
    private static async Task EndAsync(PostgreSqlSession session, List<BucketClaim> claims, CancellationToken cancellationToken)
    {
        if (claims.Count > 0)
            await session.EndAsync(cancellationToken).ConfigureAwait(false);
        claims.Clear();
    }

    private async Task<ProcessOutcome> DecideAsync(
        PostgreSqlSession session,
        List<BucketClaim> claims,
        ClaimRequest request,
        DecideBatch decide,
        CancellationToken cancellationToken
    )
    {
        var batches = claims.ConvertAll(static claim => claim.Rows.Batch);
        var batch = new ClaimedBatch(
            batches.Max(static part => part.Now),
            [.. batches.SelectMany(static part => part.Instances)]
        );
        var decisions = await session.DecideAsync(decide, batch, request.Abandoned).ConfigureAwait(false);
        var parents = await new PostgreSqlParents(session, request.DecideParents, request.MaxBytes, request.Abandoned)
            .DecideAsync(batch, decisions, cancellationToken)
            .ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        await PostgreSqlClaims.CommitAsync(session, decisions, PlaceOf, parents).ConfigureAwait(false);

        turns.Sent(decisions);
        turns.Sent(parents.Select(static parent => parent.Decision));
        var signals = 0;
        foreach (var claim in claims)
        {
            signals += claim.Rows.Signals;
            var isFilled = _size.Claimed(claim.Size, claim.Request, claim.Rows);
            if (isFilled)
                turns.MayBeDue(claim.Bucket);
            if (claim.Rows.Signals > 0)
                claim.Watermark.Committed(claim.Poll, claim.Rows.NewestDue, claim.Rows.Batch.Now.UtcDateTime, isFilled);
        }

        return new ProcessOutcome(signals, NextDue: turns.HasDue ? TimeSpan.Zero : null);

        string PlaceOf(Guid id) => claims.Find(claim => claim.Rows.Places.ContainsKey(id))!.Rows.Places[id];
    }

    private sealed record BucketClaim(short Bucket, Watermark Watermark, Watermark.Poll Poll, int Size, ClaimRequest Request)
    {
        public ClaimedRows Rows { get; set; } = new();
    }
}

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Claims bucket by bucket, those in turn that may have something due. A call takes from one bucket alone when it is asked to
/// (<see cref="ClaimRequest.OnePart"/>): its transaction is then of one node. Others may take from many, and commit in two phases.
/// </summary>
internal sealed class BucketClaims(PostgreSqlConnections connections, BucketTurns turns)
{
    private readonly Watermarks[] _watermarks = [.. turns.Buckets.All.Select(static _ => new Watermarks(TimeProvider.System))];
    private readonly ClaimSize _size = new();

    public Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken) =>
        turns.TakeAsync(
            way => BucketSeen.ReadAsync(connections, way, static statements => statements.DueSignals, cancellationToken),
            bucket =>
                connections.ClaimAsync(
                    bucket,
                    session => ProcessAsync(session, bucket, request, decide, cancellationToken),
                    cancellationToken
                ),
            lookFirst: request.FullPoll,
            request.MayPutOff
        );

    private async Task<ProcessOutcome?> ProcessAsync(
        PostgreSqlSession session,
        short first,
        ClaimRequest request,
        DecideBatch decide,
        CancellationToken cancellationToken
    )
    {
        var claims = new List<BucketClaim>();
        try
        {
            await ClaimAsync(session, first, claims, request, cancellationToken).ConfigureAwait(false);
            if (claims.Exists(static claim => claim.Rows.Signals > 0))
                return await DecideAsync(session, claims, request, decide, cancellationToken).ConfigureAwait(false);
            await session.EndAsync(cancellationToken).ConfigureAwait(false);
            return null;
        }
        catch
        {
            // They are as they were. The first is put back by the one that gave it.
            foreach (var claim in claims.Skip(1))
                turns.MayBeDue(claim.Bucket);
            throw;
        }
    }

    /// <summary>Claims from one bucket, and from further ones in the same transaction where the request allows it.</summary>
    private async Task ClaimAsync(
        PostgreSqlSession session,
        short first,
        List<BucketClaim> claims,
        ClaimRequest request,
        CancellationToken cancellationToken
    )
    {
        var (bucket, signals, bytes) = (first, 0, 0L);
        do
        {
            var rest = request with { MaxSignals = request.MaxSignals - signals, MaxBytes = request.MaxBytes - bytes };
            var watermark = _watermarks[turns.Buckets.IndexOf(bucket)].Of(request);
            var claim = new BucketClaim(bucket, watermark, watermark.Next(full: request.FullPoll), _size.Of(rest), rest);
            claims.Add(claim);
            var answered = false;
            try
            {
                var statement = session.Statements.Claim(claim.Poll.From, claim.Size, rest, bucket);
                claim.Rows = await PostgreSqlClaims
                    .ClaimAsync(session, statement, begin: claims.Count == 1, cancellationToken)
                    .ConfigureAwait(false);
                answered = true;
            }
            finally
            {
                watermark.Ended(claim.Poll, answered);
            }

            signals += claim.Rows.Signals;
            bytes += claim.Rows.Bytes;
        } while (!request.OnePart && signals < request.MaxSignals && bytes < request.MaxBytes && turns.TryTake(out bucket));
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
        var batch = new ClaimedBatch(batches.Max(static part => part.Now), [.. batches.SelectMany(static part => part.Instances)]);
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

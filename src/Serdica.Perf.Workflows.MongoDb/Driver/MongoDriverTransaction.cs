using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Writes in one transaction, again where the server asks for it: it ends a transaction at the first conflict.</summary>
/// <param name="session">Has no other transaction.</param>
/// <param name="run">Runs the writes; false undoes them.</param>
/// <param name="mayLose">A conflict that lasts is a refusal: what is written depends on what others write.</param>
internal sealed class MongoDriverTransaction(IClientSessionHandle session, Func<CancellationToken, Task<bool>> run, bool mayLose)
{
    /// <summary>What it is for is claimed for no longer.</summary>
    private static readonly TimeSpan MaxTime = MongoDbClaimer.Lifetime;

    /// <summary>As long as the driver's own transactions ask for their commit, by their specification.</summary>
    private static readonly TimeSpan MaxCommitTime = FromSeconds(120);

    /// <summary>A conflict that lasts longer may last until the server ends the other transaction, whose host may be dead.</summary>
    private static readonly TimeSpan MaxConflictTime = FromSeconds(1);

    private const int MaxPauseMilliseconds = 200;

    /// <summary>
    /// Local, for a write must meet the claim that this process has just made: a snapshot shows only what has no gap
    /// before it in the oplog, and so perhaps not yet the newest. That all is of one moment is not needed: each write
    /// says by itself what it expects. Once a majority has the commit, it has all that was read for it.
    /// </summary>
    private static readonly TransactionOptions Options = new(
        ReadConcern.Local,
        ReadPreference.Primary,
        WriteConcern.WMajority.With(journal: true)
    );

    /// <summary>How often it was tried again.</summary>
    public int Retries { get; private set; }

    /// <summary>From here on an error leaves open whether the transaction was written.</summary>
    public bool CommitWasSent { get; private set; }

    public async Task<bool> WriteAsync(CancellationToken cancellationToken)
    {
        var begin = Stopwatch.GetTimestamp();
        long? conflictSince = null;
        while (true)
        {
            session.StartTransaction(Options);
            CommitWasSent = false;
            try
            {
                if (!await run(cancellationToken).ConfigureAwait(false))
                {
                    await AbortAsync().ConfigureAwait(false);
                    return false;
                }

                CommitWasSent = true;
                await CommitAsync(begin).ConfigureAwait(false);
                return true;
            }
            catch (MongoException e) when (e.HasErrorLabel("TransientTransactionError") && Stopwatch.GetElapsedTime(begin) < MaxTime)
            {
                await AbortAsync().ConfigureAwait(false);
                var isConflict = !CommitWasSent && e is MongoCommandException { Code: DocumentErrors.WriteConflict };
                conflictSince = isConflict ? conflictSince ?? Stopwatch.GetTimestamp() : null;
                if (mayLose && conflictSince is { } since && Stopwatch.GetElapsedTime(since) >= MaxConflictTime)
                    return false;
                await PauseAsync(++Retries, cancellationToken).ConfigureAwait(false);
            }
            catch
            {
                // The session would do so when it is disposed, and block a thread until the server has answered.
                await AbortAsync().ConfigureAwait(false);
                throw;
            }
        }
    }

    /// <summary>A commit whose answer was lost is asked for again: it happens once.</summary>
    private async Task CommitAsync(long begin)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                await session.CommitTransactionAsync(CancellationToken.None).ConfigureAwait(false);
                return;
            }
            catch (MongoException e)
                when (e.HasErrorLabel("UnknownTransactionCommitResult") && Stopwatch.GetElapsedTime(begin) < MaxCommitTime)
            {
                await PauseAsync(tries, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private Task AbortAsync() => session.IsInTransaction ? session.AbortTransactionAsync(CancellationToken.None) : Task.CompletedTask;

    /// <summary>At random, and twice as long each time: two that met would meet again.</summary>
    private static Task PauseAsync(int tries, CancellationToken cancellationToken) =>
        Task.Delay(Random.Shared.Next(1 + Math.Min(1 << Math.Min(tries, 10), MaxPauseMilliseconds)), cancellationToken);
}

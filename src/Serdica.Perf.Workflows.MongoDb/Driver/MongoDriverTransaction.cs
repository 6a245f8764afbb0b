using System.Diagnostics;
using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Writes in one transaction, again where the server asks for it.</summary>
internal sealed class MongoDriverTransaction(
    IClientSessionHandle session,
    Func<IClientSessionHandle, ReadOnlyMemory<byte>, CancellationToken, Task<DocumentReply>> run)
{
    /// <summary>As long as the driver's own transactions are tried, by their specification.</summary>
    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(120);

    /// <summary>
    /// Local, for a write must meet the claim that this process has just made: a snapshot shows only what has no gap
    /// before it in the oplog, and so perhaps not yet the newest. That all is of one moment is not needed: each write
    /// says by itself what it expects. Once a majority has the commit, it has all that was read for it.
    /// </summary>
    private static readonly TransactionOptions Options = new(ReadConcern.Local, ReadPreference.Primary, WriteConcern.WMajority.With(journal: true));

    /// <summary>From here on an error leaves open whether the transaction was written.</summary>
    public bool CommitWasSent { get; private set; }

    public async Task<bool> WriteAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken)
    {
        var begin = Stopwatch.GetTimestamp();
        for (var tries = 1; ; tries++)
        {
            session.StartTransaction(Options);
            CommitWasSent = false;
            try
            {
                if (await RunAllAsync(commands, cancellationToken).ConfigureAwait(false))
                {
                    CommitWasSent = true;
                    await CommitAsync(begin).ConfigureAwait(false);
                    return true;
                }

                await AbortAsync().ConfigureAwait(false);
                return false;
            }
            catch (MongoException e) when (e.HasErrorLabel("TransientTransactionError") && Stopwatch.GetElapsedTime(begin) < MaxTime)
            {
                await AbortAsync().ConfigureAwait(false);
                await PauseAsync(tries, cancellationToken).ConfigureAwait(false);
            }
            catch (MongoCommandException e) when (e.Code is DocumentErrors.DuplicateKey or DocumentErrors.NotADocument)
            {
                await AbortAsync().ConfigureAwait(false);
                return false;
            }
        }
    }

    private async Task<bool> RunAllAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken)
    {
        foreach (var command in commands)
        {
            var reply = await run(session, command.Bytes, cancellationToken).ConfigureAwait(false);
            if (!reply.Holds(command.Expected))
                return false;
        }

        return true;
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
            catch (MongoException e) when (e.HasErrorLabel("UnknownTransactionCommitResult") && Stopwatch.GetElapsedTime(begin) < MaxTime)
            {
                await PauseAsync(tries, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private Task AbortAsync() =>
        session.IsInTransaction ? session.AbortTransactionAsync(CancellationToken.None) : Task.CompletedTask;

    private static Task PauseAsync(int tries, CancellationToken cancellationToken) =>
        Task.Delay(Random.Shared.Next(Math.Min(tries, 100)), cancellationToken);
}

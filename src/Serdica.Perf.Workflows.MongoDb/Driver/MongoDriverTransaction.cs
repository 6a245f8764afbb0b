using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Writes in one transaction, again where the server asks for it.</summary>
internal sealed class MongoDriverTransaction(
    IClientSessionHandle session,
    Func<IClientSessionHandle, ReadOnlyMemory<byte>, CancellationToken, Task<DocumentReply>> run)
{
    /// <summary>A <c>$replaceWith</c> that gave no document: how the backend's updates refuse another version.</summary>
    private const int NotADocument = 40228;

    private const int MaxTries = 50;

    public static TransactionOptions Options { get; } =
        new(ReadConcern.Snapshot, ReadPreference.Primary, WriteConcern.WMajority.With(journal: true));

    public async Task<bool> WriteAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken)
    {
        for (var tries = 1; ; tries++)
        {
            session.StartTransaction(Options);
            try
            {
                if (await RunAllAsync(commands, cancellationToken).ConfigureAwait(false))
                {
                    await CommitAsync().ConfigureAwait(false);
                    return true;
                }

                await AbortAsync().ConfigureAwait(false);
                return false;
            }
            catch (MongoException e) when (e.HasErrorLabel("TransientTransactionError") && tries < MaxTries)
            {
                await AbortAsync().ConfigureAwait(false);
                await Task.Delay(Random.Shared.Next(tries), cancellationToken).ConfigureAwait(false);
            }
            catch (MongoCommandException e) when (e.Code is DocumentErrors.DuplicateKey or NotADocument)
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
            if (reply.WriteErrors().Count > 0 || (command.Expected != DocumentCommand.AnyCount && reply.Number("n"u8) != command.Expected))
                return false;
        }

        return true;
    }

    /// <summary>A commit whose answer was lost is asked for again: it happens once.</summary>
    private async Task CommitAsync()
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                await session.CommitTransactionAsync(CancellationToken.None).ConfigureAwait(false);
                return;
            }
            catch (MongoException e) when (e.HasErrorLabel("UnknownTransactionCommitResult") && tries < MaxTries)
            {
                // Again.
            }
        }
    }

    private Task AbortAsync() =>
        session.IsInTransaction ? session.AbortTransactionAsync(CancellationToken.None) : Task.CompletedTask;
}

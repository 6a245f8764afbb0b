namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// One database of a server that understands MongoDB's commands. All that the backend does goes through here, as the
/// same bytes whichever server it is. Runners take the commands over and dispose them, are safe for concurrent use, and
/// throw <see cref="DocumentCommandException"/>.
/// </summary>
public interface IDocumentDatabase : IAsyncDisposable
{
    /// <summary>Name in results and reports: <c>mongodb</c>, <c>documentdb</c>.</summary>
    string Engine { get; }

    /// <summary>Name of the database.</summary>
    string Name { get; }

    /// <summary><see cref="WaitForChangeAsync"/> hears of other processes.</summary>
    bool HearsChanges { get; }

    /// <summary>
    /// A second view of this database with connections of its own, so that leases are extended while everything else waits.
    /// It is disposed with this one.
    /// </summary>
    IDocumentDatabase ForLeases { get; }

    /// <summary>
    /// Creates collections and indexes that are not there yet; the indexes are built when the call returns. Safe when
    /// several processes race.
    /// </summary>
    Task DefineAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken);

    /// <summary>
    /// Runs commands one after the other. Each stands alone and sees what those before it wrote. They take one round trip
    /// where the protocol allows it. The replies report the errors of single documents.
    /// </summary>
    Task<IReadOnlyList<DocumentReply>> RunAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken);

    /// <summary>
    /// Runs writes in one transaction that is durable when the call returns. Transient conflicts are tried again.
    /// </summary>
    /// <returns>
    /// False: a key was taken, or a count was not <see cref="DocumentCommand.Expected"/>; nothing was written.
    /// </returns>
    Task<bool> WriteAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken);

    /// <summary>Runs queries that all see the database as it was at one moment, and reads their cursors to the end.</summary>
    /// <returns>For each command its pages.</returns>
    Task<IReadOnlyList<IReadOnlyList<DocumentReply>>> ReadSnapshotAsync(
        IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken);

    /// <summary>Completes at a hint of <see cref="NotifyAsync"/> or when <paramref name="maximum"/> has passed.</summary>
    Task WaitForChangeAsync(TimeSpan maximum, CancellationToken cancellationToken);

    /// <summary>Hints to other processes that there is work.</summary>
    Task NotifyAsync(CancellationToken cancellationToken);

    /// <summary>What the server needs to stay fast while these collections turn over; nothing where it sees to it itself.</summary>
    Task MaintainAsync(IReadOnlyList<string> collections, CancellationToken cancellationToken);
}

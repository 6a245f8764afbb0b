namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Asks a server about itself. What it has not, or does not report to this user, is a sentence and no error. Counts what was
/// asked, so that it can be taken out of the server's own counts.
/// </summary>
internal sealed class MongoDbAnswers
{
    private long _finds;
    private long _others;

    /// <summary>Queries so far.</summary>
    public long Finds => Interlocked.Read(ref _finds);

    /// <summary>Commands so far that are no queries.</summary>
    public long Others => Interlocked.Read(ref _others);

    /// <param name="database">Where to ask.</param>
    /// <param name="command">Taken over.</param>
    /// <param name="what">Is asked, in the server's word.</param>
    /// <param name="grant">What lets a user ask.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="DocumentCommandException">The server could not be reached.</exception>
    public async Task<(DocumentReply? Reply, string? Missing)> AskAsync(
        IDocumentDatabase database, DocumentCommand command, string what, string grant, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref command.Operation == DocumentOperation.Find ? ref _finds : ref _others);
        try
        {
            return ((await database.RunAsync([command], cancellationToken).ConfigureAwait(false))[0], null);
        }
        catch (DocumentCommandException e) when (e.Code != 0 && !e.IsTransient)
        {
            return (null, e.Code switch
            {
                DocumentErrors.Unauthorized => $"This user may not run {what}: grant it {grant}.",
                DocumentErrors.CommandNotFound or DocumentErrors.CommandNotSupported or DocumentErrors.UnknownStage => $"This server has no {what}.",
                _ => $"The server refused {what}: {e.Message}",
            });
        }
    }
}

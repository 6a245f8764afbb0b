namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Reads, also of what callers hear of. A new primary has all that was acknowledged, but shows it at <see cref="ReadLevel.Kept"/>
/// only when a majority has followed it: until then, "there is none" would be wrong.
/// </summary>
internal static class KeptReads
{
    /// <summary>How often something is tried for which others are in the way.</summary>
    public const int MaxTries = 20;

    private const int MaxPauseMilliseconds = 200;

    /// <summary>Asks until what is found is kept, or nothing is there at all.</summary>
    /// <exception cref="WorkflowBackendException">What is there is not kept yet.</exception>
    public static async Task<IReadOnlyList<T>> ReadKeptAsync<T>(
        this IDocumentDatabase database,
        DocumentQuery<T> query,
        CancellationToken cancellationToken
    )
    {
        for (var tries = 0; tries < MaxTries; tries++)
        {
            if (await database.FindAsync(query, cancellationToken, ReadLevel.Kept).ConfigureAwait(false) is { Count: > 0 } kept)
                return kept;
            if (await database.FindAsync(query, cancellationToken).ConfigureAwait(false) is [])
                return [];
            await PauseAsync(tries, cancellationToken).ConfigureAwait(false);
        }

        throw new WorkflowBackendException(
            $"What the primary has in {query.Collection} has not reached a majority of the servers in {MaxTries} looks: members of the "
                + "replica set are down, or far behind. rs.status() shows them.",
            isTransient: true
        )
        {
            NothingWritten = true,
        };
    }

    public static async Task<List<T>> FindAsync<T>(
        this IDocumentDatabase database,
        DocumentQuery<T> query,
        CancellationToken cancellationToken,
        ReadLevel level = ReadLevel.Latest
    )
    {
        query.Clear();
        await database.ReadAsync([query], level, cancellationToken).ConfigureAwait(false);
        return query.Found;
    }

    public static Task PauseAsync(int tries, CancellationToken cancellationToken) =>
        Task.Delay(Random.Shared.Next(1 + Math.Min(10 * tries, MaxPauseMilliseconds)), cancellationToken);
}

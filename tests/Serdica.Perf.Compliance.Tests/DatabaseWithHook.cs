using System.Reflection;

namespace Serdica.Perf.Compliance;

/// <summary>
/// Passes all calls on. Lets a test do something between a look and the claim that follows it, or between a read and the first
/// write, and see what is asked for.
/// </summary>
internal class DatabaseWithHook : DispatchProxy
{
    private IDocumentDatabase _inner = null!;
    private Func<Task>? _beforeClaim;
    private Func<Task>? _beforeWrite;

    public IDocumentDatabase Database => (IDocumentDatabase)(object)this;

    /// <summary>All claims, in the order in which they were asked for.</summary>
    public List<BsonDocument> Claims { get; } = [];

    /// <summary>All reads but those of claims and snapshots.</summary>
    public List<DocumentQuery> Asked { get; } = [];

    /// <value>The removal of expired claims goes on until it is cancelled.</value>
    public bool SweepHangs { get; set; }

    /// <value>Each write is refused.</value>
    public bool RefusesWrites { get; set; }

    /// <value>The number of reads that see nothing that a majority has, as the first reads of a new primary do.</value>
    public int ReadsBehind { get; set; }

    public static DatabaseWithHook Over(IDocumentDatabase inner, Func<Task>? beforeClaim = null, Func<Task>? beforeWrite = null)
    {
        var hook = (DatabaseWithHook)(object)Create<IDocumentDatabase, DatabaseWithHook>();
        (hook._inner, hook._beforeClaim, hook._beforeWrite) = (inner, beforeClaim, beforeWrite);
        return hook;
    }

    protected override object? Invoke(MethodInfo? method, object?[]? arguments)
    {
        switch (method!.Name)
        {
            case nameof(IDocumentDatabase.ClaimAsync):
                var claims = (IReadOnlyList<StoredDocument>)arguments![0]!;
                Claims.AddRange(claims.Select(static claim => claim.ToBsonDocument()));
                return AfterAsync<IReadOnlyList<int>>(Interlocked.Exchange(ref _beforeClaim, null), method, arguments);
            case nameof(IDocumentDatabase.DeleteAsync) when SweepHangs && ((BsonDocument)arguments![1]!).Contains("until"):
                return Task.Delay(Timeout.InfiniteTimeSpan, (CancellationToken)arguments[2]!);
            case nameof(IDocumentDatabase.WriteAsync) when RefusesWrites:
                return Task.FromResult(false);
            case nameof(IDocumentDatabase.WriteAsync):
                return AfterAsync<bool>(Interlocked.Exchange(ref _beforeWrite, null), method, arguments!);
            case nameof(IDocumentDatabase.ReadAsync):
                var queries = (IReadOnlyList<DocumentQuery>)arguments![0]!;
                Asked.AddRange(queries);
                return (ReadLevel)arguments[1]! == ReadLevel.Kept && ReadsBehind-- > 0
                    ? AfterReadAsync((Task)method.Invoke(_inner, arguments)!, queries)
                    : method.Invoke(_inner, arguments);
        }

        return method.Invoke(_inner, arguments);
    }

    private static async Task AfterReadAsync(Task read, IReadOnlyList<DocumentQuery> queries)
    {
        await read;

        // Without the clock.
        foreach (var query in queries.Where(query => query.Collection != Collections.Store))
            query.Clear();
    }

    private async Task<T> AfterAsync<T>(Func<Task>? act, MethodInfo method, object?[] arguments)
    {
        if (act is not null)
            await act();
        return await (Task<T>)method.Invoke(_inner, arguments)!;
    }
}

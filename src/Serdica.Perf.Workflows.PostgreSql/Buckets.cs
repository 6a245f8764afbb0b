namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// The buckets of a schema that Citus distributes. An instance lies, with all that belongs to it, in the bucket that its id names
/// (<see cref="SortableId.SlotOf(Guid)"/>), and each bucket is one shard.
/// </summary>
internal static class Buckets
{
    /// <summary>
    /// The first number from 0 on that Citus puts into each of its shards: by hash alone, 32 buckets would lie in 21 shards.
    /// </summary>
    private static readonly short[] Numbers =
    [
        4, 1, 5, 62, 50, 48, 18, 31, 24, 3, 85, 6, 2, 136, 36, 10, 8, 52, 28, 0, 11, 9, 21, 27, 39, 17, 16, 22, 58, 41, 13, 37,
    ];

    public static int Count => Numbers.Length;

    /// <summary>In the order of their shards.</summary>
    public static IReadOnlyList<short> All => Numbers;

    /// <summary>Where an instance lies.</summary>
    public static short Of(Guid instanceId) => Numbers[SortableId.SlotOf(instanceId) % Numbers.Length];

    /// <summary>Where the instance with a business key lies.</summary>
    public static short Of(string businessKey) => Numbers[SortableId.SlotOf(businessKey) % Numbers.Length];

    /// <summary>Where an instance with a business key lies: it is found by both.</summary>
    /// <exception cref="InvalidOperationException">Its id was made without the key.</exception>
    public static short OfKeyed(InstanceRecord instance) =>
        Of(instance.Id) is var bucket && bucket == Of(instance.BusinessKey!)
            ? bucket
            : throw new InvalidOperationException(
                $"The id {instance.Id} does not lead to the bucket of the business key '{instance.BusinessKey}': make it with "
                    + $"{nameof(SortableId)}.{nameof(SortableId.NextFor)}."
            );

    /// <summary>Where an instance lies together with one that it has started.</summary>
    /// <exception cref="InvalidOperationException">They do not lie in one bucket.</exception>
    public static short OfBoth(Guid starter, Guid started) =>
        Of(started) is var bucket && bucket == Of(starter)
            ? bucket
            : throw new InvalidOperationException(
                $"The id {started} does not lead to the bucket of {starter}, which starts it: make it with {nameof(SortableId)}."
                    + $"{nameof(SortableId.NextBeside)}."
            );

    /// <summary>The place of a bucket among all.</summary>
    public static int IndexOf(short bucket) => Array.IndexOf(Numbers, bucket);

    /// <summary>Rows by bucket, in ascending order: transactions that lock rows of several buckets take them in one order.</summary>
    public static IEnumerable<List<TRow>> Part<TRow>(List<TRow> rows, Func<TRow, short> bucketOf)
    {
        if (rows.Count == 0)
            return [];
        var first = bucketOf(rows[0]);
        return rows.TrueForAll(row => bucketOf(row) == first)
            ? [rows]
            : rows.GroupBy(bucketOf).OrderBy(static part => part.Key).Select(static part => part.ToList());
    }
}

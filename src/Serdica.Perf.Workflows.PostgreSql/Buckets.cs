namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// The buckets of a schema that Citus distributes. An instance lies, with all that belongs to it, in the bucket that its id names
/// (<see cref="SortableId.SlotOf(Guid)"/>), and each bucket is one shard.
/// </summary>
internal sealed class Buckets
{
    /// <summary>
    /// The first number from 0 on that Citus puts into each of 32 shards, in their order: by hash alone, 32 buckets would lie in 21
    /// shards. One of 16 shards covers two of these that follow each other, one of 8 covers four, and so on.
    /// </summary>
    private static readonly short[] Numbers =
    [
        8, 1, 31, 24, 10, 48, 5, 50, 4, 17, 16, 85, 36, 0, 37, 3, 52, 62, 136, 28, 6, 21, 39, 13, 2, 27, 58, 41, 9, 22, 11, 18,
    ];

    private readonly short[] _numbers;

    public Buckets(int count) => _numbers = [.. Numbers.Where((_, shard) => shard % (Numbers.Length / count) == 0)];

    /// <summary>How many buckets a schema can have.</summary>
    public static IReadOnlyList<int> Counts { get; } = [1, 2, 4, 8, 16, 32];

    public int Count => _numbers.Length;

    /// <summary>In the order of their shards.</summary>
    public IReadOnlyList<short> All => _numbers;

    /// <summary>Where an instance lies.</summary>
    public short Of(Guid instanceId) => _numbers[SortableId.SlotOf(instanceId) % _numbers.Length];

    /// <summary>Where the instance with a business key lies.</summary>
    public short Of(string businessKey) => _numbers[SortableId.SlotOf(businessKey) % _numbers.Length];

    /// <summary>Where an instance with a business key lies: it is found by both.</summary>
    /// <exception cref="InvalidOperationException">Its id was made without the key.</exception>
    public short OfKeyed(InstanceRecord instance) =>
        Of(instance.Id) is var bucket && bucket == Of(instance.BusinessKey!)
            ? bucket
            : throw new InvalidOperationException(
                $"The id {instance.Id} does not lead to the bucket of the business key '{instance.BusinessKey}': make it with "
                    + $"{nameof(SortableId)}.{nameof(SortableId.NextFor)}."
            );

    /// <summary>Where an instance lies together with one that it has started.</summary>
    /// <exception cref="InvalidOperationException">They do not lie in one bucket.</exception>
    public short OfBoth(Guid starter, Guid started) =>
        Of(started) is var bucket && bucket == Of(starter)
            ? bucket
            : throw new InvalidOperationException(
                $"The id {started} does not lead to the bucket of {starter}, which starts it: make it with {nameof(SortableId)}."
                    + $"{nameof(SortableId.NextBeside)}."
            );

    /// <summary>The place of a bucket among all.</summary>
    public int IndexOf(short bucket) => Array.IndexOf(_numbers, bucket);

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

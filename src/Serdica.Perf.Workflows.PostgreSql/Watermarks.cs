namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// A watermark for each kind of claim. A claim that leaves something alone raises only its own: what it has passed over would
/// lie below that of another host on the same backend object, which can take it.
/// </summary>
internal sealed class Watermarks(TimeProvider time)
{
    /// <summary>A bound for those of hosts that have gone, or have learned of further definitions.</summary>
    private const int MaxFiltered = 64;

    private readonly Watermark _plain = new(time);
    private readonly ConcurrentDictionary<(bool SkipsActivities, IReadOnlyList<DefinitionVersion> Unknown), Watermark> _filtered = [];

    /// <summary>A host gives the same list until it changes.</summary>
    public Watermark Of(ClaimRequest request)
    {
        if (request is { SkipActivities: false, Unknown.Count: 0 })
            return _plain;
        if (_filtered.Count > MaxFiltered)
            _filtered.Clear();
        return _filtered.GetOrAdd((request.SkipActivities, request.Unknown), _ => new Watermark(time));
    }
}

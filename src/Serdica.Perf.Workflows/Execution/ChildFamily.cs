namespace Serdica.Perf.Workflows;

/// <summary>
/// The children that an instance waits for. It is written anew with each child that closes, so it stays small: ids are
/// counted on from the first, who has closed is a bit, and reports are kept only up to a limit. Beyond it none is kept, and
/// the results are read from the closed children when the last one has closed.
/// </summary>
internal sealed record ChildFamily
{
    public required Guid First { get; init; }

    public required int Count { get; init; }

    /// <summary>A bit for each child, the lowest of a byte first.</summary>
    public byte[]? Closed { get; init; }

    /// <summary>Reports in the order in which they came.</summary>
    public List<byte[]>? Reports { get; init; }

    /// <summary>The reports were too large: see <see cref="ClosingInstances"/>.</summary>
    public bool IsRead { get; init; }

    /// <summary>By the place of a child that was continued: the instance that closed in its stead.</summary>
    public Dictionary<int, Guid>? Continued { get; init; }

    [JsonIgnore]
    public bool AllClosed => Enumerable.Range(0, Count).All(place => !IsOpen(place));

    [JsonIgnore]
    public IEnumerable<Guid> Open => Enumerable.Range(0, Count).Where(IsOpen).Select(IdOf);

    /// <summary>The instances that hold the results, in the order of the children.</summary>
    [JsonIgnore]
    public List<Guid> ClosingInstances =>
        [
            .. Enumerable
                .Range(0, Count)
                .Select(place => Continued is { } continued && continued.TryGetValue(place, out var last) ? last : IdOf(place)),
        ];

    /// <summary>How long the results have to be read before a turn, which is written, asks for them again.</summary>
    [JsonIgnore]
    public TimeSpan ReadPause => FromMilliseconds(Math.Clamp(Count / 4.0, 20, 1_000));

    public Guid IdOf(int place) => SortableId.Offset(First, place);

    /// <summary>Whether this is one of the children, and its report has not come yet.</summary>
    public bool Awaits(Guid child) =>
        SortableId.PlaceOf(First, child) is >= 0 and var place && place < Count && IdOf(place) == child && IsOpen(place);

    /// <summary>As it is when this report has come.</summary>
    /// <param name="limit">Bytes that the kept reports may have together.</param>
    public ChildFamily Close(ChildReport report, byte[] bytes, int limit)
    {
        var place = SortableId.PlaceOf(First, report.Child);
        var closed = Closed is null ? new byte[(Count + 7) / 8] : [.. Closed];
        closed[place / 8] |= (byte)(1 << place % 8);
        var continued = report.Last is { } last ? new Dictionary<int, Guid>(Continued ?? []) { [place] = last } : Continued;
        var family = this with { Closed = closed, Continued = continued };
        if (IsRead)
            return family;
        List<byte[]> reports = [.. Reports ?? [], bytes];
        return reports.Sum(static kept => (long)kept.Length) <= limit
            ? family with { Reports = reports }
            : family with { Reports = null, IsRead = true };
    }

    private bool IsOpen(int place) => Closed is null || (Closed[place / 8] & 1 << place % 8) == 0;
}

/// <summary>A turn needs the results of children that this host has yet to read; it is repeated when they are there.</summary>
internal sealed class ChildrenNotReadException(ChildFamily family)
    : Exception($"The results of the {family.Count} children from {family.First} on have not been read yet.")
{
    public ChildFamily Family => family;
}

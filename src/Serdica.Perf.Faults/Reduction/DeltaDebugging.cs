namespace Serdica.Perf.Faults.Reduction;

/// <summary>
/// Finds a small part of a list that still fails, by Zeller's delta debugging: parts of it and what is left without them are tried, in
/// ever smaller pieces.
/// </summary>
internal sealed class DeltaDebugging<T>
{
    private readonly Func<IReadOnlyList<T>, Task<bool>> _fails;
    private readonly int _most;
    private readonly List<bool[]> _tried = [];

    /// <param name="fails">Tries a part, whose items have the order of the list. It is never asked twice for the same part.</param>
    public DeltaDebugging(Func<IReadOnlyList<T>, Task<bool>> fails, int most) => (_fails, _most) = (fails, most);

    /// <value>How many parts were tried.</value>
    public int Tries => _tried.Count;

    /// <summary>Returns the smallest part that was seen to fail; the whole list when no part was.</summary>
    /// <param name="list">Known to fail; not tried again.</param>
    public async Task<IReadOnlyList<T>> ReduceAsync(IReadOnlyList<T> list)
    {
        int[] smallest = [.. Enumerable.Range(0, list.Count)];

        // What fails without any of them has nothing to do with them.
        if (smallest.Length > 0 && await FailsAsync(list, []))
            return [];
        for (var pieces = 2; smallest.Length > 1;)
        {
            pieces = Math.Min(pieces, smallest.Length);
            var (found, isPiece) = await FindAsync(list, smallest, pieces);
            if (found is null && pieces == smallest.Length)
                break;
            pieces =
                found is null ? pieces * 2
                : isPiece ? 2
                : Math.Max(pieces - 1, 2);
            smallest = found ?? smallest;
        }

        return Part(list, smallest);
    }

    private async Task<(int[]? Found, bool IsPiece)> FindAsync(IReadOnlyList<T> list, int[] places, int pieces)
    {
        int[][] parts =
        [
            .. Enumerable.Range(0, pieces).Select(n => places[(n * places.Length / pieces)..((n + 1) * places.Length / pieces)]),
        ];
        foreach (var part in parts)
        {
            if (await FailsAsync(list, part))
                return (part, true);
        }

        foreach (var part in parts)
        {
            int[] rest = [.. places.Except(part)];
            if (await FailsAsync(list, rest))
                return (rest, false);
        }

        return (null, false);
    }

    private async Task<bool> FailsAsync(IReadOnlyList<T> list, int[] places)
    {
        var part = new bool[list.Count];
        foreach (var place in places)
            part[place] = true;
        if (_tried.Count == _most || _tried.Any(tried => tried.SequenceEqual(part)))
            return false;
        _tried.Add(part);
        return await _fails(Part(list, places));
    }

    private static IReadOnlyList<T> Part(IReadOnlyList<T> list, int[] places) => [.. places.Select(place => list[place])];
}

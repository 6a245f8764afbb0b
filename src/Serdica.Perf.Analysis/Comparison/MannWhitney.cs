using MathNet.Numerics;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>The two-sided rank-sum test of H. B. Mann and D. R. Whitney (Annals of Mathematical Statistics 18, 1947).</summary>
internal static class MannWhitney
{
    /// <summary>Up to this many values of both sides together, the exact distribution is counted, ties included.</summary>
    private const int MostForExact = 40;

    /// <summary>Where all values differ, their number and the size alone decide on <see cref="Ways"/>.</summary>
    private static readonly ConcurrentDictionary<(int Count, int Size), double[]> WithoutTies = new();

    /// <summary>The probability of ranks that differ at least as much when both sides have the same distribution.</summary>
    public static double PValue(IReadOnlyList<double> first, IReadOnlyList<double> second)
    {
        if (first.Count == 0 || second.Count == 0)
            return 1;

        var doubled = DoubledRanks([.. first, .. second]);
        var sum = doubled.Take(first.Count).Sum();
        return doubled.Length <= MostForExact ? Exact(doubled, first.Count, sum) : Approximate(doubled, first.Count, sum);
    }

    /// <summary>The smallest possible <see cref="PValue"/> for these numbers of values: the one for two sides without overlap.</summary>
    public static double LeastPValue(int first, int second) => Math.Min(1, 2 / SpecialFunctions.Binomial(first + second, first));

    /// <summary>Twice the ranks, so that the middle rank of ties is an integer.</summary>
    private static int[] DoubledRanks(double[] values)
    {
        var order = Enumerable.Range(0, values.Length).OrderBy(index => values[index]).ToArray();
        var ranks = new int[values.Length];
        for (var from = 0; from < order.Length;)
        {
            var to = from;
            while (to + 1 < order.Length && values[order[to + 1]] == values[order[from]])
                to++;
            for (var place = from; place <= to; place++)
                ranks[order[place]] = from + to + 2;
            from = to + 1;
        }

        return ranks;
    }

    private static double Exact(int[] doubled, int size, int observed)
    {
        var expected = (double)doubled.Sum() * size / doubled.Length;
        if (observed == expected)
            return 1;

        var ways =
            doubled.Distinct().Count() < doubled.Length
                ? Ways(doubled, size)
                : WithoutTies.GetOrAdd((doubled.Length, size), _ => Ways(doubled, size));
        var extreme = ways.Where((_, sum) => Math.Abs(sum - expected) >= Math.Abs(observed - expected) - 1e-9).Sum();
        return extreme / ways.Sum();
    }

    /// <summary>The number of subsets of this size, by rank sum.</summary>
    private static double[] Ways(int[] doubled, int size)
    {
        var total = doubled.Sum();
        var ways = Enumerable.Range(0, size + 1).Select(_ => new double[total + 1]).ToArray();
        ways[0][0] = 1;
        var (taken, reached) = (0, 0);
        foreach (var rank in doubled)
        {
            (taken, reached) = (taken + 1, reached + rank);
            for (var members = Math.Min(size, taken); members >= 1; members--)
            {
                for (var sum = rank; sum <= reached; sum++)
                    ways[members][sum] += ways[members - 1][sum - rank];
            }
        }

        return ways[size];
    }

    /// <summary>The normal approximation with correction for ties and for continuity.</summary>
    private static double Approximate(int[] doubled, int size, int observed)
    {
        double count = doubled.Length;
        var ties = doubled.GroupBy(rank => rank).Sum(tie => Math.Pow(tie.Count(), 3) - tie.Count());
        var variance = size * (count - size) / 12 * (count + 1 - ties / (count * (count - 1)));
        if (variance <= 0)
            return 1;

        var distance = Math.Max(0, Math.Abs(observed / 2.0 - size * (count + 1) / 2) - 0.5);
        return 2 * Normal.CDF(0, 1, -distance / Math.Sqrt(variance));
    }
}

namespace Serdica.Perf.Analysis.History;

/// <summary>Finds the points at which a series changes to another level. Deterministic: the same values give the same points.</summary>
/// <remarks>
/// <para>
/// E-divisive: split where the energy statistic of the two parts is largest, then split the parts (D. S. Matteson and
/// N. A. James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", JASA 109, 2014). MongoDB
/// brought it to performance tests (D. Daly et al., "The Use of Change Point Detection to Identify Software Performance
/// Regressions in a Continuous Integration System", ICPE 2020; "Creating a Virtuous Cycle in Performance Testing at
/// MongoDB", ICPE 2021).
/// </para>
/// <para>
/// Significance is decided as in M. Fleming et al. ("Hunter: Using Change Point Detection to Hunt for Performance
/// Regressions", ICPE 2023): Student's t-test replaces random permutations; a first pass over windows accepts weak points
/// too, because an early change would hide behind a later and larger one; then the weakest are removed one by one until
/// every remaining point is significant. We add: logarithms, because performance spreads by factors;
/// a least number of points on each side, so that an outlier is no change; and a t-test that knows how many independent
/// points there are, because neighbouring commits are measured under similar conditions (<see cref="Autocorrelation"/>); and the
/// correction of C. E. Bonferroni for the number of series that are judged together, because each is a further chance of a
/// false alarm.
/// </para>
/// </remarks>
internal static class ChangePointSearch
{
    /// <summary>A level with fewer points is not a level.</summary>
    public const int FewestPoints = 4;

    /// <summary>The highest p of the t-test for a point that is kept in the only series; several series share it.</summary>
    public const double MaxPValue = 0.0001;

    /// <summary>The highest p for a weak point of the first pass, as a multiple of that for a point that is kept.</summary>
    private const double Weak = 10;

    /// <summary>Twice the usual size: a change by 10 % in noise of 10 % takes about fifty points on each side.</summary>
    private const int Window = 100;

    /// <param name="values">The values in order.</param>
    /// <param name="minimumEffect">Smaller changes are not change points; 0.05 is 5 %.</param>
    /// <param name="judged">The number of series that are judged together, this one included.</param>
    /// <returns>Change points in order of index; none when there are too few values.</returns>
    public static IReadOnlyList<ChangePoint> Find(
        IReadOnlyList<double> values,
        double minimumEffect = ComparisonSettings.DefaultMinimumEffect,
        int judged = 1
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(judged, 1);
        var maxPValue = MaxPValue / judged;
        double[] series = values.All(value => value > 0) ? [.. values.Select(value => Math.Log(value))] : [.. values];
        var inflation = Autocorrelation.Inflation(series);
        var weak = WeakPoints(series, inflation, Weak * maxPValue);
        return [.. Merge(series, weak, [.. values], minimumEffect, inflation, maxPValue)];
    }

    /// <summary>Whether a series with this number of points can have a change point.</summary>
    public static bool CanJudge(int points) => points >= 2 * FewestPoints;

    /// <summary>Windows overlap by half, or start at the last point that was found.</summary>
    private static SortedSet<int> WeakPoints(double[] series, double inflation, double maxPValue)
    {
        var found = new SortedSet<int>();
        for (var start = 0; start < series.Length;)
        {
            var window = Divide(series, start, Math.Min(start + Window, series.Length), inflation, maxPValue);
            found.UnionWith(window);
            start = Math.Max(start + Window / 2, window.Max);
        }

        return found;
    }

    private static SortedSet<int> Divide(double[] series, int start, int end, double inflation, double maxPValue)
    {
        SortedSet<int> found = [];
        while (true)
        {
            int[] bounds = [start, .. found, end];
            var best = bounds
                .Zip(bounds.Skip(1), (from, to) => (From: from, To: to, Split: BestSplit(series, from, to)))
                .MaxBy(part => part.Split.Energy);
            if (best.Split.Index == 0 || PValue(series, best.From, best.Split.Index, best.To, inflation) > maxPValue)
                return found;
            found.Add(best.Split.Index);
        }
    }

    /// <summary>The end of the second part is free, so that a level that returns later does not blur its start.</summary>
    private static (int Index, double Energy) BestSplit(double[] series, int start, int end)
    {
        var within = DistancesWithin(series, start, end);
        var best = (Index: 0, Energy: double.NegativeInfinity);
        for (var split = start + FewestPoints; split <= end - FewestPoints; split++)
        {
            for (var last = split + FewestPoints; last <= end; last++)
            {
                double left = split - start,
                    right = last - split;
                var first = within[0, split - start];
                var second = within[split - start, last - start];
                var between = within[0, last - start] - first - second;
                var energy = 2 / (left + right) * (between - right / (left - 1) * first - left / (right - 1) * second);
                if (energy > best.Energy)
                    best = (split, energy);
            }
        }

        return best;
    }

    /// <summary>Element [a, b] is the sum of the distances of all pairs from value a up to, but not including, value b.</summary>
    private static double[,] DistancesWithin(double[] series, int start, int end)
    {
        var count = end - start;
        var sums = new double[count + 1, count + 1];
        for (var to = 1; to <= count; to++)
        {
            var newest = series[start + to - 1];
            var added = 0.0;
            for (var from = to - 2; from >= 0; from--)
            {
                added += Math.Abs(series[start + from] - newest);
                sums[from, to] = sums[from, to - 1] + added;
            }
        }

        return sums;
    }

    private static List<ChangePoint> Merge(
        double[] series,
        SortedSet<int> weak,
        double[] values,
        double minimumEffect,
        double inflation,
        double maxPValue
    )
    {
        while (true)
        {
            int[] bounds = [0, .. weak, series.Length];
            var points = Enumerable
                .Range(1, weak.Count)
                .Select(place => Describe(series, values, bounds[place - 1], bounds[place], bounds[place + 1], inflation))
                .ToList();
            if (Weakest(points, minimumEffect, maxPValue) is not { } weakest)
                return points;
            weak.Remove(weakest.Index);
        }
    }

    /// <summary>The point to remove next; null when every point may stay. Two points that are too close come from two windows.</summary>
    private static ChangePoint? Weakest(List<ChangePoint> points, double minimumEffect, double maxPValue) =>
        points.Where(point => point.PValue > maxPValue).MaxBy(point => point.PValue)
        ?? points
            .Zip(points.Skip(1))
            .Where(pair => pair.Second.Index - pair.First.Index < FewestPoints)
            .Select(pair => pair.First.PValue > pair.Second.PValue ? pair.First : pair.Second)
            .MaxBy(point => point.PValue)
        ?? points.Where(point => Math.Abs(point.Change) < minimumEffect).MinBy(point => Math.Abs(point.Change));

    private static ChangePoint Describe(double[] series, double[] values, int start, int split, int end, double inflation) =>
        new(
            split,
            MetricComparer.Typical(values[start..split])!.Value,
            MetricComparer.Typical(values[split..end])!.Value,
            PValue(series, start, split, end, inflation)
        );

    /// <summary>The p of Student's two-sided t-test with one variance for both sides, which dependent points increase.</summary>
    private static double PValue(double[] series, int start, int split, int end, double inflation)
    {
        var (first, left) = Level(series[start..split]);
        var (second, right) = Level(series[split..end]);
        var freedom = left.Length + right.Length - 2;
        var variance = (left.Sum(distance => distance * distance) + right.Sum(distance => distance * distance)) / freedom;
        if (variance == 0)
            return first == second ? 1 : 0;
        var inflated = Math.Max(inflation, Autocorrelation.InflationAround(left, right)) * variance;
        var t = Math.Abs(first - second) / Math.Sqrt(inflated * (1.0 / left.Length + 1.0 / right.Length));
        return 2 * StudentT.CDF(0, 1, freedom, -t);
    }

    private static (double Mean, double[] Distances) Level(double[] values)
    {
        var mean = values.Mean();
        return (mean, [.. values.Select(value => value - mean)]);
    }
}

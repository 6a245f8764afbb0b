using System.Numerics;

namespace Serdica.Perf.Analysis.Blocks;

/// <summary>
/// The two-sided randomization test of paired differences (R. A. Fisher, <i>The Design of Experiments</i>, 1935, section 21). If
/// both members of a pair are equal, each difference could as well have the opposite sign.
/// </summary>
internal static class SignFlipTest
{
    /// <summary>Up to this many differences, every choice of signs is counted; above, a sample of them.</summary>
    private const int MostForExact = 16;

    private const int Drawings = 10_000;

    private const int Seed = 20_261_121;

    /// <summary>Signs (1 or -1) by number of differences; a vector has those of one difference in successive drawings.</summary>
    private static readonly ConcurrentDictionary<int, Vector<double>[]> Choices = new();

    /// <summary>The probability of a sum at least as far from zero when both sides are equal.</summary>
    public static double PValue(IReadOnlyList<double> differences)
    {
        if (differences.Count == 0)
            return 1;

        // Reduced by the rounding error of the summation.
        var observed = Math.Abs(differences.Sum()) - 1e-9 * differences.Sum(Math.Abs);
        return differences.Count <= MostForExact ? Exact(differences, observed) : Drawn(differences, observed);
    }

    /// <summary>
    /// The t of Student's test from which on this test has a p of 0.01 or less in nine of ten sets of normal differences,
    /// counted by simulation. Eight of them must all have one sign. For more than ten, Student's t demands as much itself.
    /// </summary>
    public static double UsualT(int count) =>
        count switch
        {
            <= 8 => 5.4,
            9 => 4.4,
            10 => 3.7,
            _ => 0,
        };

    /// <summary>
    /// One sign changes from each choice to the next, in the order of Gray's code. The last never does: opposite choices are as extreme.
    /// </summary>
    private static double Exact(IReadOnlyList<double> differences, double observed)
    {
        var choices = 1 << (differences.Count - 1);
        var signed = differences.ToArray();
        var sum = signed.Sum();
        var extreme = 1;
        for (var choice = 1; choice < choices; choice++)
        {
            var changed = BitOperations.TrailingZeroCount(choice);
            signed[changed] = -signed[changed];
            sum += 2 * signed[changed];
            if (Math.Abs(sum) >= observed)
                extreme++;
        }

        return (double)extreme / choices;
    }

    private static double Drawn(IReadOnlyList<double> differences, double observed)
    {
        var signs = Choices.GetOrAdd(differences.Count, Draw);
        double[] values = [.. differences];
        var extreme = Vector<long>.Zero;
        for (var first = 0; first < signs.Length; first += values.Length)
        {
            var sum = Vector<double>.Zero;
            for (var index = 0; index < values.Length; index++)
                sum += signs[first + index] * values[index];
            extreme -= Vector.GreaterThanOrEqual(Vector.Abs(sum), new(observed));
        }

        return (double)Vector.Sum(extreme) / Drawings;
    }

    /// <summary>The first choice is the observed one.</summary>
    private static Vector<double>[] Draw(int count)
    {
        var random = new Random(Seed);
        var signs = Enumerable.Range(0, Drawings * count).Select(place => place >= count && random.Next(2) != 0 ? -1.0 : 1.0);
        var lanes = Enumerable.Range(0, Vector<double>.Count);
        return
        [
            .. from drawings in signs.Chunk(count * Vector<double>.Count)
               from index in Enumerable.Range(0, count)
               select new Vector<double>([.. lanes.Select(lane => drawings[lane * count + index])]),
        ];
    }
}

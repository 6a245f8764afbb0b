using System.Numerics;

namespace Serdica.Perf.Analysis.Blocks;

/// <summary>
/// The two-sided randomization test of paired differences (R. A. Fisher, <i>The Design of Experiments</i>, 1935, section 21):
/// if the two of a pair are alike, either could have been the first, so each difference could as well have the other sign.
/// </summary>
public static class SignFlipTest
{
    /// <summary>Up to so many differences every choice of signs is counted; above, some are drawn.</summary>
    private const int MostForExact = 16;

    private const int Drawings = 10_000;

    private const int Seed = 20_261_121;

    /// <summary>How probable a sum at least as far from zero is when both sides are alike.</summary>
    public static double PValue(IReadOnlyList<double> differences)
    {
        ArgumentNullException.ThrowIfNull(differences);
        if (differences.Count == 0)
            return 1;

        // Less by what adding up may lose.
        var observed = Math.Abs(differences.Sum()) - 1e-9 * differences.Sum(Math.Abs);
        return differences.Count <= MostForExact ? Exact(differences, observed) : Drawn(differences, observed);
    }

    /// <summary>One sign changes from each choice to the next, in the order of Gray's code.</summary>
    private static double Exact(IReadOnlyList<double> differences, double observed)
    {
        var choices = 1 << differences.Count;
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
        var random = new Random(Seed);

        // What was observed is one of the choices.
        var extreme = 1;
        for (var drawing = 1; drawing < Drawings; drawing++)
        {
            var sum = 0.0;
            for (var index = 0; index < differences.Count; index++)
                sum += random.Next(2) == 0 ? differences[index] : -differences[index];
            if (Math.Abs(sum) >= observed)
                extreme++;
        }

        return (double)extreme / Drawings;
    }
}

namespace Serdica.Perf.Measurement.LoadTests.Work;

/// <summary>Decides which kind each operation of a mix is: by seed and number alone, on every machine alike.</summary>
internal sealed class MixChoice(IReadOnlyList<double> weights, int seed)
{
    private readonly double[] _upTo = [.. weights.Select((_, index) => weights.Take(index + 1).Sum())];

    /// <returns>The index of the kind.</returns>
    public int KindOf(int operation)
    {
        var share = Share(((ulong)(uint)seed << 32) | (uint)operation) * _upTo[^1];
        var kind = Array.FindIndex(_upTo, upTo => share < upTo);
        return kind < 0 ? _upTo.Length - 1 : kind;
    }

    /// <summary>SplitMix64, as a number from 0 to below 1.</summary>
    private static double Share(ulong number)
    {
        var bits = number * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
        bits ^= bits >> 31;
        return (bits >> 11) * (1.0 / (1UL << 53));
    }
}

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// Seeds of random arrivals: each step has its own, and reads have another than the operations beside them, since from one
/// seed both would arrive at the same instants. The same profile and seed give the same arrivals on every machine.
/// </summary>
internal static class ArrivalSeed
{
    /// <param name="seed">Of the profile, and of one of several generators.</param>
    /// <param name="step">Steps before.</param>
    /// <param name="reads">Whether they are those of the reads.</param>
    public static int Of(int seed, int step, bool reads)
    {
        // The last mixing of MurmurHash3 (Appleby, public domain), which is one to one: Random makes like streams of like seeds.
        var mixed = ((uint)seed * 1_000_003) + ((uint)step * 2) + (reads ? 1u : 0u);
        mixed = (mixed ^ (mixed >> 16)) * 0x85ebca6b;
        mixed = (mixed ^ (mixed >> 13)) * 0xc2b2ae35;
        return (int)(mixed ^ (mixed >> 16));
    }
}

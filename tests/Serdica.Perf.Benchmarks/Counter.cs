namespace Serdica.Perf.Benchmarks;

/// <summary>A state as small as a state can be, so that figures are of the engine and not of the JSON serialiser.</summary>
public sealed class Counter
{
    public int Value { get; set; }
}

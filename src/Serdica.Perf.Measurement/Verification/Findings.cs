namespace Serdica.Perf.Measurement.Verification;

/// <summary>Counts problems and keeps the first as an example. Thread-safe.</summary>
internal sealed class Findings
{
    private int _count;
    private string? _first;

    public void Add(string finding)
    {
        Interlocked.CompareExchange(ref _first, finding, null);
        Interlocked.Increment(ref _count);
    }

    public VerificationCheck Check(string name) =>
        new(name, _count == 0, Deviations(0), _count == 0 ? Deviations(0) : $"{Deviations(_count)}, for instance: {_first}");

    private static string Deviations(int count) => Figure.Number(count, "deviation");
}

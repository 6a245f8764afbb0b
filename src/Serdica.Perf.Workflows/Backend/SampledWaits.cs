namespace Serdica.Perf.Workflows;

/// <summary>Adds up what a sampler of a backend sees its server's sessions do. Not thread-safe.</summary>
public sealed class SampledWaits
{
    private readonly Dictionary<(string Class, string Name), (double Microseconds, long Count)> _waits = [];

    /// <summary>Adds the time that <paramref name="sessions"/> which do the same were seen at it.</summary>
    /// <param name="kind">The server's group of the wait.</param>
    /// <param name="name">The server's name of the wait.</param>
    /// <param name="microseconds">Since the last sample.</param>
    /// <param name="sessions">How many there are.</param>
    public void Add(string kind, string name, double microseconds, long sessions)
    {
        var (before, samples) = _waits.GetValueOrDefault((kind, name));
        _waits[(kind, name)] = (before + microseconds * sessions, samples + sessions);
    }

    /// <summary>All so far; the list does not change any more.</summary>
    public IReadOnlyList<WaitTime> ToList() =>
        [.. _waits.Select(static wait => new WaitTime(wait.Key.Class, wait.Key.Name, wait.Value.Microseconds, wait.Value.Count))];
}

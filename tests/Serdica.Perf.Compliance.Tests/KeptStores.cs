namespace Serdica.Perf.Compliance;

/// <summary>
/// Names of stores that tests have used and emptied: to empty one takes a fraction of the time in which a server makes its tables and
/// drops them again.
/// </summary>
internal sealed class KeptStores
{
    private readonly ConcurrentBag<string> _names = [];

    /// <summary>The name of an empty store, or a new one.</summary>
    public string Take(Func<string> newName) => _names.TryTake(out var name) ? name : newName();

    /// <summary>Empties a store for the next test; one that cannot be emptied is not used again.</summary>
    public async Task KeepAsync(string name, Task emptied)
    {
        await emptied;
        _names.Add(name);
    }
}

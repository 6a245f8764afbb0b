namespace Serdica.Perf.Tests;

/// <summary>Assertions on every item of a list that must have some: what is said of each item of an empty list always holds.</summary>
internal static class EachItem
{
    public static void Holds<T>(IEnumerable<T> items, Action<T> check)
    {
        var all = items.ToArray();
        Assert.NotEmpty(all);
        Assert.All(all, check);
    }
}

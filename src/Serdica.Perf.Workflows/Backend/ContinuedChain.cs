namespace Serdica.Perf.Workflows;

/// <summary>
/// A chain of continuations is purged from its first instance on: a signal to a closed one goes on from each to the next, so a link
/// must stay for as long as anything may come through it.
/// </summary>
public static class ContinuedChain
{
    private static readonly int LinkLength = new Progress { ContinuedFrom = Guid.Empty }.Write()!.Length;

    /// <summary>The instance that this one continues, by the engine's notes; <see langword="null"/> for none.</summary>
    public static Guid? PredecessorOf(byte[]? progress) => Progress.Read(progress).ContinuedFrom;

    /// <summary>Whether the notes name the predecessor and nothing else.</summary>
    public static bool IsLinkOnly(byte[] progress)
    {
        ArgumentNullException.ThrowIfNull(progress);
        return progress.Length == LinkLength && PredecessorOf(progress) is not null;
    }

    /// <summary>Leaves out of what is to be purged whatever is held, and all that continues it.</summary>
    /// <param name="old">To be purged.</param>
    /// <param name="idOf">Its id.</param>
    /// <param name="predecessorOf">The instance that it continues.</param>
    /// <param name="isHeld">Whether it must stay by itself.</param>
    public static void Spare<T>(List<T> old, Func<T, Guid> idOf, Func<T, Guid?> predecessorOf, Func<T, bool> isHeld)
    {
        ArgumentNullException.ThrowIfNull(old);
        var spared = new HashSet<Guid>();
        int before;
        do
        {
            before = old.Count;
            old.RemoveAll(item =>
                (isHeld(item) || (predecessorOf(item) is { } predecessor && spared.Contains(predecessor))) && spared.Add(idOf(item))
            );
        } while (old.Count < before);
    }
}

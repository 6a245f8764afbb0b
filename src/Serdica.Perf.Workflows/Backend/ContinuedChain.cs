namespace Serdica.Perf.Workflows;

/// <summary>
/// A chain of continuations is purged from its first instance on. A signal to a closed instance is forwarded from each link to the
/// next, so a link must stay as long as a signal may come through it.
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

    /// <summary>Removes from a list of instances to purge those that are held, and all that continue them.</summary>
    /// <param name="old">The instances to purge; this method shortens the list.</param>
    /// <param name="idOf">Returns the id of an instance.</param>
    /// <param name="predecessorOf">Returns the instance that it continues; null when there is none.</param>
    /// <param name="isHeld">Whether an instance must stay, whatever becomes of its predecessor.</param>
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

namespace Serdica.Perf.Backends.Stores;

/// <summary>
/// The suite's stores on one server. Each carries a marker from its first moment, so that what a killed run has left can be
/// recognised and dropped. All methods throw <see cref="WorkflowBackendException"/> when the server fails.
/// </summary>
internal interface IStoreServer
{
    /// <summary>Makes an empty store with a marker. It cannot be cancelled half-way.</summary>
    Task MakeAsync(string name, StoreMarker marker);

    /// <summary>Replaces the marker of a store; one that was dropped meanwhile is not made again.</summary>
    Task RenewAsync(string name, StoreMarker marker);

    /// <summary>All stores that are named as the suite names them, whoever made them.</summary>
    Task<IReadOnlyList<FoundStore>> FindAsync(CancellationToken cancellationToken);

    /// <summary>Drops a store with all that is in it; nothing happens when it is not there.</summary>
    Task DropAsync(string name, CancellationToken cancellationToken);
}

/// <summary>A store that is named as the suite names its own.</summary>
/// <param name="Name">Schema, database or prefix.</param>
/// <param name="Marker"><see langword="null"/> when it has none, or one that the suite did not write.</param>
/// <param name="IsOwn">Whether it belongs to the user of the connection, where the server knows owners.</param>
internal sealed record FoundStore(string Name, StoreMarker? Marker, bool IsOwn = true)
{
    /// <summary>How long a store must have been without a sign of its run before it is dropped.</summary>
    public static readonly TimeSpan LeftAfter = FromDays(1);

    /// <summary>Whether its run has ended without dropping it; the name alone never decides that.</summary>
    public StoreState StateAt(DateTimeOffset now) =>
        Marker is null ? StoreState.Unmarked
        : !IsOwn ? StoreState.OfAnotherUser
        : now - Marker.SeenAt > LeftAfter ? StoreState.Left
        : StoreState.Recent;
}

/// <summary>What becomes of a store when leftovers are dropped.</summary>
internal enum StoreState
{
    /// <summary>Nobody knows whose it is: it stays.</summary>
    Unmarked,

    /// <summary>It stays.</summary>
    OfAnotherUser,

    /// <summary>Its run was seen within a day and may be under way: it stays.</summary>
    Recent,

    /// <summary>It is dropped.</summary>
    Left,
}

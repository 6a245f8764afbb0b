namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>How the backend looks for work.</summary>
public sealed record MongoDbBackendOptions
{
    /// <value>
    /// Most slots that one look covers, 1 to 16; default 16, which is all. On a sharded cluster fewer keep a look
    /// on one shard, at the price of looks that find nothing.
    /// </value>
    public int SlotsPerLook { get; init; } = Slots.Count;

    /// <exception cref="ArgumentException">A value makes no sense; the message names it.</exception>
    internal void Validate()
    {
        if (SlotsPerLook is < 1 or > Slots.Count)
            throw new ArgumentException($"MongoDbBackendOptions.SlotsPerLook is {SlotsPerLook}; it must be from 1 to {Slots.Count}.");
    }
}

namespace Serdica.Perf.Measurement.Results;

/// <summary>What a commit survives, as read back from the server; in rising order.</summary>
public enum Durability
{
    /// <summary>The server could not be asked.</summary>
    Unknown,

    /// <summary>After a crash the data may be gone, for instance because it is in memory.</summary>
    NotDurable,

    /// <summary>The last acknowledged commits may be lost with the power; what remains is consistent.</summary>
    LossOnCrash,

    /// <summary>A commit that was acknowledged survives the loss of power.</summary>
    Durable,
}

namespace Serdica.Perf.Databases;

/// <summary>What a crash of the machine may take away. Results of different classes are not comparable.</summary>
public enum DurabilityClass
{
    /// <summary>What was acknowledged is still there after a crash or a power cut.</summary>
    Durable,

    /// <summary>The last acknowledged commits may be lost; what remains is consistent.</summary>
    LossOnCrash,

    /// <summary>After a crash the data may be damaged or gone.</summary>
    NotDurable,
}

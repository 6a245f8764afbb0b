namespace Serdica.Perf.Workflows;

/// <summary>What a worker does with a claimed instance.</summary>
internal enum Treatment
{
    Decide,

    /// <summary>Its signals stay as they were: it is the turn of others.</summary>
    PutBack,

    /// <summary>Its signals come again later: it has failed alone.</summary>
    PutOff,

    /// <summary>It has used up its tries: no handler runs, and its signals become dead letters or it faults.</summary>
    GiveUp,
}

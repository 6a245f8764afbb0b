namespace Serdica.Perf.Analysis.Limits;

/// <summary>What limited one scenario, with the evidence.</summary>
/// <param name="Scenario">A scenario that passed and is neither serial nor paced by delays.</param>
/// <param name="Evidence">The figures behind the verdict, or why there is none, in one sentence.</param>
/// <param name="Processors">Null when the window was too short.</param>
/// <param name="Waits">Null when the server reported none.</param>
internal sealed record LimitFinding(ScenarioResult Scenario, Limit Limit, string Evidence, ProcessorUse? Processors, WaitProfile? Waits)
{
    /// <summary>The limit for a headline.</summary>
    public static string Sentence(Limit limit) =>
        limit switch
        {
            Limit.Harness => "engine and load generator of this suite, not the database",
            Limit.Processors => "the processors of the machine",
            Limit.DatabaseProcessors => "the processors that the database may use",
            Limit.Others => "other load on the machine: the figures are those of a busy machine",
            Limit.LogFlush => "the flush of the log that makes commits durable",
            Limit.Storage => "reading and writing data",
            Limit.Contention => "locks and latches",
            Limit.Statements => "statements that run one after another, not waits",
            Limit.Schedule => "its schedule: it was not at its limit",
            Limit.Callers => "the callers: the database had little to do",
            _ => "unknown",
        };

    /// <summary>The limit for a table cell.</summary>
    public static string Words(Limit limit) =>
        limit switch
        {
            Limit.LogFlush => "log flush",
            Limit.Contention => "locks",
            Limit.DatabaseProcessors => "database's processors",
            _ => limit.ToString().ToLowerInvariant(),
        };
}

/// <summary>What kept a scenario from being faster.</summary>
internal enum Limit
{
    /// <summary>The evidence is weak or ambiguous.</summary>
    Unknown,

    /// <summary>Engine and load generator: the figures describe them and not the database.</summary>
    Harness,

    /// <summary>All processors of the machine were busy.</summary>
    Processors,

    /// <summary>The processors that the database may use were busy, while others of the machine were free.</summary>
    DatabaseProcessors,

    /// <summary>All processors were busy, but neither engine nor database used most of them.</summary>
    Others,

    LogFlush,

    Storage,

    Contention,

    /// <summary>Sessions mostly ran while processors were free: statements, one after another.</summary>
    Statements,

    /// <summary>Nothing: the load arrived on a schedule, and there is no evidence that more was offered than could be completed.</summary>
    Schedule,

    /// <summary>The database had little to do: too few callers, or too much latency between them and it.</summary>
    Callers,
}

namespace Serdica.Perf.Analysis.Limits;

/// <summary>Classifies the waits of servers. It uses words instead of lists, because names change between products and versions.</summary>
internal static class WaitCategories
{
    public static WaitCategory Of(ServerWait wait)
    {
        bool Class(string word) => wait.Class.Contains(word, OrdinalIgnoreCase);
        bool Name(string word) => wait.Name.Contains(word, OrdinalIgnoreCase);

        if (Class("CPU") || Name("cpu"))
            return WaitCategory.Processor;
        if (Class("Client") || Class("Activity") || Class("Idle"))
            return WaitCategory.Idle;

        // Checked before locks and storage: PostgreSQL waits for its log as LWLock:WALWrite and as IO:WALSync.
        if (Name("WAL") || Name("log file") || Name("journal") || Name("SyncRep") || Class("Commit"))
            return WaitCategory.LogFlush;
        if (Class("Lock") || Name("lock") || Name("latch") || Name("buffer busy") || Class("BufferPin"))
            return WaitCategory.Contention;
        return Class("IO") || Class("I/O") ? WaitCategory.Storage : WaitCategory.Other;
    }

    /// <summary>What sessions did while they were not idle, the longest first: shares of active time are shares of its sum.</summary>
    public static IReadOnlyList<ServerWait> Active(ScenarioResult scenario) =>
        [.. scenario.TopWaits.Where(wait => Of(wait) != WaitCategory.Idle).OrderByDescending(wait => wait.Microseconds)];

    /// <summary>The longest real wait: neither running nor idle. Null when none was seen.</summary>
    public static ServerWait? Top(ScenarioResult scenario)
    {
        return Active(scenario).FirstOrDefault(wait => Of(wait) != WaitCategory.Processor);
    }

    public static string Words(WaitCategory category) =>
        category switch
        {
            WaitCategory.Processor => "running",
            WaitCategory.LogFlush => "log flush",
            WaitCategory.Storage => "storage",
            WaitCategory.Contention => "locks",
            WaitCategory.Idle => "idle",
            _ => "other",
        };
}

/// <summary>The meaning of a wait for somebody who chooses or sizes a database, whatever the server calls it.</summary>
internal enum WaitCategory
{
    /// <summary>Not a wait: the session ran, or waited for a processor.</summary>
    Processor,

    /// <summary>Writing or flushing the log that makes a commit durable.</summary>
    LogFlush,

    /// <summary>Reading or writing data.</summary>
    Storage,

    /// <summary>Locks and latches: other sessions hold what is needed.</summary>
    Contention,

    /// <summary>Nothing to do: the server waits for the next request of the engine.</summary>
    Idle,

    Other,
}

namespace Serdica.Perf.Faults.Plans;

/// <summary>What is done to a running engine.</summary>
internal enum FaultKind
{
    /// <summary>SIGKILL of a host; another one takes its place at the end.</summary>
    KillHost,

    /// <summary>SIGTERM of a host, which stops in order; another one takes its place at the end.</summary>
    TerminateHost,

    /// <summary>SIGSTOP of a host for longer than its leases hold, then SIGCONT: it resumes with what it was doing.</summary>
    PauseHost,

    /// <summary>The host's connections fall silent in both directions.</summary>
    PartitionHost,

    /// <summary>The host's requests arrive, and it gets no answer.</summary>
    HalfOpenHost,

    /// <summary>SIGKILL of all processes of the database, and its start afterwards.</summary>
    KillDatabase,

    /// <summary>Immediate stop of the database, as after a crash, and its start afterwards.</summary>
    CrashDatabase,

    /// <summary>Stop of the database in order, and its start afterwards.</summary>
    RestartDatabase,

    /// <summary>SIGSTOP of all processes of the database, then SIGCONT.</summary>
    PauseDatabase,

    /// <summary>Sessions are ended one after the other.</summary>
    KillSessions,

    /// <summary>Connections are reset, all at once and again and again.</summary>
    ResetConnections,

    /// <summary>Some commits are done and their answers dropped.</summary>
    CutCommits,

    /// <summary>Each piece of bytes is late, by a varying time.</summary>
    Latency,

    /// <summary>Few bytes a second go through.</summary>
    Bandwidth,

    /// <summary>A transaction that reads stays open, and the database may forget nothing.</summary>
    HoldSnapshot,

    /// <summary>A transaction holds a lock that all writers need.</summary>
    HoldLock,

    /// <summary>The server can write no file beyond its first page, as on a full volume; then it is started with room again.</summary>
    FillDisk,

    /// <summary>The clock of a host jumps ahead, and then behind.</summary>
    SkewClock,

    /// <summary>The table of instances has a new column and new indexes for a time, as by a migration under load.</summary>
    ChangeSchema,

    /// <summary>The volume of the tables has no room left, and that of the log has; then it has room again.</summary>
    FillVolume,

    /// <summary>
    /// A host is stopped in order, and one with a new version of the definition alone takes its place; then one with the old version
    /// alone, as after a roll-back; in the end one with both.
    /// </summary>
    UpgradeHost,
}

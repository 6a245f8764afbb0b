namespace Serdica.Perf.Faults.Proxy;

/// <summary>What a proxy has done: the evidence that a fault struck.</summary>
internal sealed class ProxyCounts
{
    private long _opened;
    private long _cut;
    private long _delayed;
    private long _held;
    private long _commits;
    private long _commitsCut;

    /// <value>Connections that reached the server.</value>
    public long Opened => Interlocked.Read(ref _opened);

    /// <value>Connections that the proxy has reset.</value>
    public long Cut => Interlocked.Read(ref _cut);

    /// <value>Bytes that a latency or a bandwidth has delayed.</value>
    public long Delayed => Interlocked.Read(ref _delayed);

    /// <value>Pieces of bytes and new connections that were held.</value>
    public long Held => Interlocked.Read(ref _held);

    /// <value>Commits of transactions that wrote something.</value>
    public long Commits => Interlocked.Read(ref _commits);

    /// <value>Those of them whose answer was dropped.</value>
    public long CommitsCut => Interlocked.Read(ref _commitsCut);

    internal void AddOpened() => Interlocked.Increment(ref _opened);

    internal void AddCut() => Interlocked.Increment(ref _cut);

    internal void AddDelayed(int bytes) => Interlocked.Add(ref _delayed, bytes);

    internal void AddHeld(int pieces) => Interlocked.Add(ref _held, pieces);

    internal void AddCommit() => Interlocked.Increment(ref _commits);

    internal void AddCommitCut() => Interlocked.Increment(ref _commitsCut);
}

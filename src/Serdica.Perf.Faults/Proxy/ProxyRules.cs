namespace Serdica.Perf.Faults.Proxy;

/// <summary>What a proxy does to the bytes that go through it; nothing by default.</summary>
internal sealed record ProxyRules
{
    /// <value>The share of the connections that the rules strike, from 0 to 1; drawn once for each connection.</value>
    public double Share { get; init; } = 1;

    /// <value>How long each piece of bytes is kept, in each direction.</value>
    public TimeSpan Latency { get; init; }

    /// <value>The most that is added to the latency, at random.</value>
    public TimeSpan Jitter { get; init; }

    /// <value>Bytes a second and direction; 0 for no limit.</value>
    public long BytesPerSecond { get; init; }

    /// <value>Nothing goes to the server, new connections included. What is held goes on when the rule ends.</value>
    public bool HoldsRequests { get; init; }

    /// <value>Nothing comes from the server. With requests that go on, the connection is half open.</value>
    public bool HoldsAnswers { get; init; }

    /// <value>The share of the commits, from 0 to 1, whose answer is dropped: the server has committed, and the connection is cut before
    /// its client learns of it.</value>
    public double CutCommits { get; init; }
}

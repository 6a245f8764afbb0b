namespace Serdica.Perf.Databases;

/// <summary>A database server that answers. Disposing it stops and removes what the suite started, and nothing else.</summary>
public abstract class DatabaseServer : IAsyncDisposable
{
    /// <summary>Connection string with its password: never to be logged or reported.</summary>
    public abstract string ConnectionString { get; }

    public abstract ServerDescription Description { get; }

    /// <summary>
    /// Process id of the server on this machine, from which its processor time and memory can be read;
    /// <see langword="null"/> when the server runs elsewhere.
    /// </summary>
    public virtual int? ProcessId => null;

    /// <summary>Data folder of the server on this machine; <see langword="null"/> when the server runs elsewhere.</summary>
    public virtual string? DataFolder => null;

    /// <summary>What the server's container has used; <see langword="null"/> when it runs in none, or the engine can't be asked.</summary>
    public virtual Task<ContainerUsage?> ReadUsageAsync(CancellationToken cancellationToken) => Task.FromResult<ContainerUsage?>(null);

    /// <summary>
    /// Times of single flushed writes beside the data, measured where the server runs; empty where that can't be done,
    /// and for servers whose <see cref="DataFolder"/> can be measured from here.
    /// </summary>
    public virtual Task<IReadOnlyList<TimeSpan>> MeasureFlushesAsync(CancellationToken cancellationToken) => Task.FromResult<IReadOnlyList<TimeSpan>>([]);

    public abstract ValueTask DisposeAsync();
}

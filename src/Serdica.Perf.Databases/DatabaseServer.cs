namespace Serdica.Perf.Databases;

/// <summary>A database server that answers. Disposing it stops and removes what the suite started, and nothing else.</summary>
internal abstract class DatabaseServer : IAsyncDisposable
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

    /// <summary>The servers that it consists of, this one first; those that the suite can see.</summary>
    public virtual IReadOnlyList<DatabaseServer> Nodes => [this];

    /// <summary>What the server's container has used; <see langword="null"/> when it runs in none, or the engine can't be asked.</summary>
    public virtual Task<ContainerUsage?> ReadUsageAsync(CancellationToken cancellationToken) => Task.FromResult<ContainerUsage?>(null);

    /// <summary>
    /// Times of single flushed writes beside the data, measured where the server runs; empty where that can't be done,
    /// and for servers whose <see cref="DataFolder"/> can be measured from here.
    /// </summary>
    public virtual Task<IReadOnlyList<TimeSpan>> MeasureFlushesAsync(CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<TimeSpan>>([]);

    public abstract ValueTask DisposeAsync();
}

/// <summary>What a container has used since it was started, as the engine counts it. All its processes are in it.</summary>
/// <param name="MemoryBytes">Memory now, without the part of the file cache that the kernel would give up first.</param>
/// <param name="BlockReadBytes">Read from block devices; <see langword="null"/> where the engine does not report it.</param>
/// <param name="BlockWriteBytes">Written to block devices; <see langword="null"/> where the engine does not report it.</param>
internal sealed record ContainerUsage(TimeSpan Processor, long? MemoryBytes, long? BlockReadBytes, long? BlockWriteBytes);

/// <summary>
/// A server that should have started did not. Unlike <see cref="ProvisionOutcome.Unavailable"/> this is a fault and
/// no reason to skip; the message holds the last lines of the server's log.
/// </summary>
internal sealed class DatabaseStartException(string message) : Exception(message);

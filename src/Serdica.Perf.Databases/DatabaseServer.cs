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

    public abstract ValueTask DisposeAsync();
}

namespace Serdica.Perf.Databases.Containers;

/// <summary>One database as a container: what to start, and how to ask whether it serves.</summary>
internal abstract class ContainerModule
{
    /// <summary>The name of the user that the suite logs in as, where it may choose.</summary>
    protected const string User = "serdica";

    /// <summary>The back-end name, from which the environment variables are named.</summary>
    public abstract string Backend { get; }

    /// <summary>Name of the product, for sentences and reports.</summary>
    public abstract string Product { get; }

    /// <summary>The pinned image.</summary>
    public abstract string Image { get; }

    /// <summary>The port of the server within the container.</summary>
    public abstract int Port { get; }

    /// <summary>Folder within the container that lies on the volume.</summary>
    public abstract string DataFolder { get; }

    /// <summary>Name of the variable of the container that holds the password.</summary>
    public abstract string PasswordVariable { get; }

    /// <summary>The password of all its containers, where they log in to each other; otherwise each has its own.</summary>
    public virtual string? Password => null;

    /// <summary>From the start of the container to the first answer, the image being there.</summary>
    public virtual TimeSpan StartLimit => FromMinutes(2);

    /// <summary>Why the data can't lie in memory; <see langword="null"/> when they can.</summary>
    public virtual string? NotInMemory => null;

    /// <summary>Whether <see cref="Command"/> gives the user's settings to the server.</summary>
    public virtual bool TakesSettings => false;

    /// <summary>Server settings for data in memory; the user's settings override them.</summary>
    public virtual IReadOnlyDictionary<string, string> SettingsInMemory { get; } = new Dictionary<string, string>();

    /// <summary>Variables of the container.</summary>
    public abstract IReadOnlyDictionary<string, string> Variables(string password);

    /// <summary>Arguments for the image's entry point.</summary>
    public virtual IReadOnlyList<string> Command(IReadOnlyDictionary<string, string> serverSettings) => [];

    /// <summary>Files that must be there before the start.</summary>
    public virtual IReadOnlyList<ContainerFile> Files(string password) => [];

    public abstract string ConnectionString(string host, int port, string password);

    /// <summary>
    /// Asks the server by a real query, and reads its durability back. <c>NotYet</c> says what it answered instead, as
    /// long as it may still come.
    /// </summary>
    /// <exception cref="DatabaseStartException">It answers, and will not do.</exception>
    /// <exception cref="ContainerEngineException">The engine refuses.</exception>
    public abstract Task<(ServerDescription? Description, string? NotYet)> AskAsync(
        IDatabaseContainer container,
        string connectionString,
        string? fileSystem,
        CancellationToken cancellationToken
    );
}

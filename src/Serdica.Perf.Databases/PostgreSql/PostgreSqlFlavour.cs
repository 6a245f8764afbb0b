namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>
/// What tells the servers of one back-end from those of another, where both are PostgreSQL underneath and come by the
/// same ways.
/// </summary>
internal abstract class PostgreSqlFlavour
{
    /// <summary>The back-end name, from which the environment variables are named.</summary>
    public abstract string Backend { get; }

    /// <summary>Name of the product, for sentences and reports.</summary>
    public abstract string Product { get; }

    /// <summary>Name of the variable that holds the connection string.</summary>
    public string Variable => DatabaseEnvironment.ConnectionStringVariable(Backend);

    /// <summary>The role without which a user can ask nothing; <see langword="null"/> where any user will do.</summary>
    public virtual string? Role => null;

    /// <summary>Libraries that a local server loads at its start, in this order.</summary>
    public virtual IReadOnlyList<string> PreloadLibraries => [];

    /// <summary>Settings of a local server on top of those that all local servers have.</summary>
    public virtual IReadOnlyDictionary<string, string> Settings { get; } = new Dictionary<string, string>();

    /// <summary>The password of all local servers of this flavour, where they log in to each other; otherwise each has its own.</summary>
    public virtual string? Password => null;

    /// <summary>Whether processes of a local server log in to it themselves, or to another with the same password.</summary>
    public virtual bool ServerLogsInToItself => false;

    /// <summary>The first statement that a local server is asked; it has started once that succeeded.</summary>
    public virtual string FirstStatement => "select 1";

    /// <summary>The installation to start local servers from, or a sentence on what to install or set.</summary>
    public abstract (PostgreSqlBinaries? Binaries, string? Problem) FindBinaries(DatabaseRequest request);

    /// <summary>What servers from an installation are called before one has been asked.</summary>
    public virtual string NameOf(PostgreSqlBinaries binaries) => $"PostgreSQL {binaries.Version}";

    protected string Lacks(string extension, string what) =>
        $"has no extension '{extension}' in that database: create it there, or point {Variable} at {what}";

    /// <summary>
    /// Asks a server what it is. When it cannot serve this back-end, the problem is the rest of a sentence that begins
    /// with the name of the server.
    /// </summary>
    public abstract Task<(ServerDescription? Description, string? Problem)> ExamineAsync(
        NpgsqlConnection connection,
        DatabaseSourceKind source,
        string? fileSystem,
        CancellationToken cancellationToken
    );
}

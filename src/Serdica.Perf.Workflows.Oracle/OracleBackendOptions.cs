namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Where the backend stores, and how it connects.</summary>
public sealed partial record OracleBackendOptions
{
    /// <value>Any connection string of the driver; its user owns what the backend makes.</value>
    public required string ConnectionString { get; init; }

    /// <value>
    /// What the names of all tables and queues begin with, and the name of the package. Several stores live side by
    /// side in one schema under different prefixes. Default <c>SERDICA_WF</c>.
    /// </value>
    public string Prefix { get; init; } = "SERDICA_WF";

    /// <value>
    /// Each start, signal and message has a transaction of its own, and receivers of messages wait in the database, as in the
    /// Oracle AQ reference. Stores are the same either way, and may be used both ways at once. Default false.
    /// </value>
    public bool OneByOne { get; init; }

    /// <value>The driver; <see langword="null"/> (the default) looks for ODP.NET Core by name.</value>
    public DbProviderFactory? Factory { get; init; }

    /// <value>How long one call may take before the driver breaks it off; default 60 s.</value>
    public TimeSpan CommandTimeout { get; init; } = FromSeconds(60);

    /// <exception cref="ArgumentException">The prefix is no plain identifier, or the connection string is none.</exception>
    internal void Validate()
    {
        if (!Identifier().IsMatch(Prefix))
        {
            throw new ArgumentException(
                $"Prefix '{Prefix}' is not usable: capital letters, digits and underscores, beginning with a letter, at most 40 characters."
            );
        }

        try
        {
            _ = new DbConnectionStringBuilder { ConnectionString = ConnectionString };
        }
        catch (ArgumentException)
        {
            // The message may quote the value that could not be read, which may be the password.
            throw new ArgumentException(
                "The Oracle connection string cannot be read; it has the form 'User Id=...;Password=...;Data Source=host:1521/FREEPDB1'."
            );
        }
    }

    /// <summary>Without the connection string, which may hold a password: texts end in logs.</summary>
    private bool PrintMembers(StringBuilder builder) => builder.Append(Invariant($"Prefix = {Prefix}")).Length > 0;

    [GeneratedRegex(@"^[A-Z][A-Z0-9_]{0,39}\z")]
    private static partial Regex Identifier();
}

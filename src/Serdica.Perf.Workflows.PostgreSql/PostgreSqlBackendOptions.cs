using System.Text.RegularExpressions;
using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Where the backend stores, and how it connects.</summary>
public sealed partial record PostgreSqlBackendOptions
{
    /// <value>Any Npgsql connection string: SSL, time limits and pool sizes are said there.</value>
    public required string ConnectionString { get; init; }

    /// <value>The schema of this application; made when it is missing. Default <c>serdica_workflow</c>.</value>
    public string Schema { get; init; } = "serdica_workflow";

    /// <value>
    /// Set it when a pooler in transaction mode stands in between: nothing then relies on a session. There is no
    /// LISTEN, so work of other processes is found by polling; and statements are not prepared unless the
    /// connection string says so (<c>Max Auto Prepare</c>), which some poolers support.
    /// </value>
    public bool TransactionPooling { get; init; }

    /// <exception cref="ArgumentException">The schema is no plain identifier, or the connection string is none.</exception>
    internal void Validate()
    {
        if (!Identifier().IsMatch(Schema))
        {
            throw new ArgumentException(
                $"Schema '{Schema}' is not usable: lower-case letters, digits and underscores, not beginning with a digit, at most 48 characters.");
        }

        try
        {
            _ = new NpgsqlConnectionStringBuilder(ConnectionString);
        }
        catch (ArgumentException)
        {
            // The driver's message may quote the value that it could not read, which may be the password.
            throw new ArgumentException("The PostgreSQL connection string cannot be read; it has the form 'Host=...;Port=5432;Database=...;Username=...;Password=...'.");
        }
    }

    [GeneratedRegex("^[a-z_][a-z0-9_]{0,47}$")]
    private static partial Regex Identifier();
}

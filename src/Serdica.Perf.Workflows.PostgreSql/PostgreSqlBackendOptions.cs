namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Where the backend stores, how it connects, and how long it waits for the database.</summary>
public sealed partial record PostgreSqlBackendOptions
{
    /// <value>
    /// Any Npgsql connection string: SSL and pool sizes are said there. <c>Connection Lifetime</c> (an hour) and
    /// <c>Connection Idle Lifetime</c> (5 minutes) hold for the engine's sessions too.
    /// </value>
    public required string ConnectionString { get; init; }

    /// <value>The schema of this application; made when it is missing. Default <c>serdica_workflow</c>.</value>
    public string Schema { get; init; } = "serdica_workflow";

    /// <value>How the schema lies on servers; default: on one. It is decided when the schema is made.</value>
    public PostgreSqlDistribution Distribution { get; init; }

    /// <value>
    /// Into how many shards Citus divides the tables: 1, 2, 4, 8, 16 or 32 (default 8). It is decided when the schema is made, is the most
    /// worker nodes that the schema can use, and without <see cref="Distribution"/> it means nothing. Fewer shards make larger batches.
    /// </value>
    public int Buckets { get; init; } = 8;

    /// <value>
    /// Set it when a pooler in transaction mode stands in between: nothing then relies on a session. There is no
    /// LISTEN, so work of other processes is found by polling; and statements are not prepared unless the
    /// connection string says so (<c>Max Auto Prepare</c>), which some poolers support.
    /// </value>
    public bool TransactionPooling { get; init; }

    /// <value>
    /// How much memory the backend spends on open instances as it wrote them last; default 32 MiB, and 0 for none. A signal to one of them
    /// is decided without reading it first. It means nothing on Citus and with <see cref="TransactionPooling"/>, where every instance is
    /// read.
    /// </value>
    public int KnownInstanceBytes { get; init; } = 32 << 20;

    /// <value>
    /// How long a write of starts and signals waits for the server; default 5 s. Then its caller gets a transient error and
    /// its connection is closed. At least 1 s; parts of a second count as a whole one.
    /// </value>
    public TimeSpan SubmitTimeout { get; init; } = FromSeconds(5);

    /// <value>
    /// How long a worker may hold the instances that it has claimed without a word to the server, and how long it waits for
    /// one answer of the server; default 10 s. Then the server undoes its transaction, and another host takes the instances.
    /// At least 1 s; parts of a second count as a whole one.
    /// </value>
    public TimeSpan ClaimTimeout { get; init; } = FromSeconds(10);

    /// <value>
    /// How often the connection that listens for other processes is checked while nothing comes; default 5 s. A connection
    /// that has failed unnoticed is replaced after twice this time. At least 1 s; parts of a second count as a whole one.
    /// </value>
    public TimeSpan ListenHeartbeat { get; init; } = FromSeconds(5);

    /// <value>Whether another process makes the schema: while it is missing or older, the start fails with a transient error.</value>
    internal bool MustExist { get; init; }

    /// <value>See <see cref="ConnectionSource"/>.</value>
    internal Func<string, NpgsqlDataSource>? SharedSources { get; init; }

    /// <exception cref="ArgumentException">
    /// The schema is no plain identifier, the connection string cannot be read, or a time limit makes no sense.
    /// </exception>
    internal void Validate()
    {
        if (!Identifier().IsMatch(Schema))
        {
            throw new ArgumentException(
                $"Schema '{Schema}' is not usable: lower-case letters, digits and underscores, not beginning with a digit, at most 48 "
                    + $"characters."
            );
        }

        if (!Enum.IsDefined(Distribution))
            throw new ArgumentException($"PostgreSqlBackendOptions.Distribution is {(int)Distribution}, which is no distribution.");
        if (!PostgreSql.Buckets.Counts.Contains(Buckets))
        {
            throw new ArgumentException(
                $"PostgreSqlBackendOptions.Buckets is {Buckets}; it must be one of {string.Join(", ", PostgreSql.Buckets.Counts)}."
            );
        }

        if (KnownInstanceBytes < 0)
            throw new ArgumentException($"PostgreSqlBackendOptions.KnownInstanceBytes is {KnownInstanceBytes}; it must not be below zero.");
        CheckLimit(nameof(SubmitTimeout), SubmitTimeout);
        CheckLimit(nameof(ClaimTimeout), ClaimTimeout);
        CheckLimit(nameof(ListenHeartbeat), ListenHeartbeat);
        try
        {
            _ = new NpgsqlConnectionStringBuilder(ConnectionString);
        }
        catch (ArgumentException)
        {
            // The driver's message may quote the value that it could not read, which may be the password.
            throw new ArgumentException(
                "The PostgreSQL connection string cannot be read; it has the form "
                    + "'Host=...;Port=5432;Database=...;Username=...;Password=...'."
            );
        }
    }

    private static void CheckLimit(string name, TimeSpan value)
    {
        if (value < FromSeconds(1) || value > FromDays(1))
            throw new ArgumentException($"PostgreSqlBackendOptions.{name} is {value}; it must be from one second to one day.");
    }

    /// <summary>Without the connection string, which may hold a password: texts end in logs.</summary>
    private bool PrintMembers(StringBuilder builder) => builder.Append(Invariant($"Schema = {Schema}")).Length > 0;

    /// <summary>Whether statements name the bucket of what they read or write.</summary>
    internal bool IsDistributed => Distribution == PostgreSqlDistribution.Citus;

    [GeneratedRegex(@"^[a-z_][a-z0-9_]{0,47}\z")]
    private static partial Regex Identifier();
}

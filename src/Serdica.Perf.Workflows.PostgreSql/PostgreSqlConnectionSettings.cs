namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// The connection strings of the backend: the user's, with time limits on both sides, so that neither waits for long for
/// another that has gone. What the user has set stays.
/// </summary>
internal sealed class PostgreSqlConnectionSettings(PostgreSqlBackendOptions options)
{
    /// <summary>
    /// The hot statements look rows up by index, whatever the statistics say: prepared while the tables were
    /// empty, or after a burst, the planner would choose scans and hash joins, and 256 callers fell from 8,400/s
    /// to 3,800/s within 320,000 operations.
    /// </summary>
    private const string Pins =
        "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off -c enable_bitmapscan=off "
        + "-c plan_cache_mode=force_generic_plan -c jit=off";

    /// <summary>
    /// Options of a connection do not reach the workers of Citus, whose plans are pinned in the database, and it refuses generic plans
    /// of most statements.
    /// </summary>
    private string PinnedPlans => options.IsDistributed ? "" : Pins;

    /// <summary>Stricter levels fail where ours waits for a row, and nothing here needs them.</summary>
    private const string Isolation = @"-c default_transaction_isolation=read\ committed";

    /// <summary>
    /// A session that the server ends while it is idle is noticed by the next caller only, who cannot tell whether anything was
    /// written. What nobody uses for long is closed here.
    /// </summary>
    private const string KeepIdle = "-c idle_session_timeout=0";

    /// <summary>The driver's defaults, which stand for values that the user has not set.</summary>
    private static readonly NpgsqlConnectionStringBuilder Defaults = new();

    /// <summary>How long one answer of the server may take, for claims and for whatever else has no limit of its own.</summary>
    public int ClaimSeconds { get; } = Seconds(options.ClaimTimeout);

    public int SubmitSeconds { get; } = Seconds(options.SubmitTimeout);

    /// <summary>The server ends a transaction whose client says nothing for this long.</summary>
    public string IdleInTransactionLimit => $"{ClaimSeconds}s";

    public string StatementLimit => $"{ClaimSeconds}s";

    /// <summary>Shorter than a submission's limit: a row that somebody holds is then named as the reason.</summary>
    public string LockLimit => Invariant($"{SubmitSeconds * 800}ms");

    /// <summary>For the hot statements and the leases: sessions that nothing changes, with pinned plans.</summary>
    /// <param name="name">What the sessions call themselves.</param>
    public NpgsqlConnectionStringBuilder Hot(string name)
    {
        var hot = Common(name);

        // No statement changes the session, so there is nothing to reset.
        hot.NoResetOnClose = true;
        hot.CommandTimeout = ClaimSeconds;

        // The server itself ends what takes too long. A request to cancel would go over a network that may be gone, and its
        // caller would wait for that too.
        hot.CancellationTimeout = -1;
        if (options.TransactionPooling)
            return hot;
        if (hot.MaxAutoPrepare == 0)
        {
            hot.MaxAutoPrepare = 64;
            hot.AutoPrepareMinUsages = 2;
        }

        hot.Options = $"-c statement_timeout={StatementLimit} -c lock_timeout={LockLimit} {hot.Options} {PinnedPlans}".TrimEnd();
        return hot;
    }

    /// <summary>For questions that are asked now and then, and that may take their time.</summary>
    public NpgsqlConnectionStringBuilder Plain(string name, int size)
    {
        var plain = Common(name);
        plain.MaxPoolSize = size;
        plain.MinPoolSize = 0;

        // Nor does a question change it. On Citus a reset is a round trip that costs as much as many questions.
        plain.NoResetOnClose = options.IsDistributed || plain.NoResetOnClose;
        return plain;
    }

    private NpgsqlConnectionStringBuilder Common(string name)
    {
        var builder = new NpgsqlConnectionStringBuilder(options.ConnectionString) { ApplicationName = name };
        if (builder.Timeout == Defaults.Timeout)
            builder.Timeout = SubmitSeconds;
        if (!builder.TcpKeepAlive && builder.TcpKeepAliveTime == Defaults.TcpKeepAliveTime)
            (builder.TcpKeepAliveTime, builder.TcpKeepAliveInterval) = (5, 2);
        if (!options.TransactionPooling)
        {
            builder.Options = (
                $"{Isolation} {KeepIdle} -c idle_in_transaction_session_timeout={IdleInTransactionLimit} "
                + $"-c tcp_user_timeout={ClaimSeconds}s -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 "
                + builder.Options
            ).TrimEnd();
        }

        return builder;
    }

    private static int Seconds(TimeSpan limit) => (int)Math.Ceiling(limit.TotalSeconds);
}

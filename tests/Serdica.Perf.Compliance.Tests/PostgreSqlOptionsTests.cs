namespace Serdica.Perf.Compliance;

public sealed class PostgreSqlOptionsTests
{
    private static readonly PostgreSqlBackendOptions Good = new() { ConnectionString = "Host=localhost" };

    [Theory]
    [InlineData("Upper")]
    [InlineData("a; drop schema b")]
    [InlineData("a\n")]
    public void Schema_that_is_no_plain_identifier_is_refused(string schema) =>
        Assert.Throws<ArgumentException>((Good with { Schema = schema }).Validate);

    [Fact]
    public void Limits_are_at_least_a_second()
    {
        var limit = FromMilliseconds(999);

        Assert.Throws<ArgumentException>((Good with { SubmitTimeout = limit }).Validate);
        Assert.Throws<ArgumentException>((Good with { ClaimTimeout = limit }).Validate);
        Assert.Throws<ArgumentException>((Good with { ListenHeartbeat = limit }).Validate);
    }

    [Fact]
    public void Memory_for_known_instances_is_not_below_zero()
    {
        (Good with { KnownInstanceBytes = 0 }).Validate();

        Assert.Throws<ArgumentException>((Good with { KnownInstanceBytes = -1 }).Validate);
    }

    [Fact]
    public void Texts_of_options_have_no_password()
    {
        const string Secret = "Password=secret";
        object[] all =
        [
            Good with { ConnectionString = Secret },
            new OracleBackendOptions { ConnectionString = Secret },
            new DatabaseRequest { ConnectionString = Secret },
        ];

        Assert.All(all, one => Assert.DoesNotContain("secret", one.ToString()));
    }

    [Fact]
    public void Server_ends_what_takes_too_long_and_looks_rows_up_by_index()
    {
        var told = new PostgreSqlConnectionSettings(Good).Hot("hot").Options!;

        string[] limits = ["statement_timeout=10s", "lock_timeout=4000ms", "idle_in_transaction_session_timeout=10s"];
        string[] plans = ["enable_hashjoin", "enable_mergejoin", "enable_seqscan", "enable_bitmapscan", "jit"];
        foreach (var setting in (string[])[.. limits, .. plans.Select(static plan => $"{plan}=off"), "plan_cache_mode=force_generic_plan"])
            Assert.Contains($"-c {setting}", told, Ordinal);
    }

    [Fact]
    public void Clock_of_the_server_is_not_known_ten_seconds_after_its_answer()
    {
        var clock = new PostgreSqlClock();

        clock.Set(DateTimeOffset.UnixEpoch, clock.Timestamp - (10 * Stopwatch.Frequency), mayWait: false);

        Assert.Null(clock.Now);
    }
}

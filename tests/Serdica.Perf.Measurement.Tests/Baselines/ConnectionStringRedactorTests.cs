using Serdica.Perf.Results.Scrubbing;

namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class ConnectionStringRedactorTests
{
    public static TheoryData<string> Secretive =>
        [
            SampleRun.ConnectionString,
            "Host=db;User Id=alice;Pwd='s3cret-Pa55;x';SSL Password=s3cret-Pa55",
            "User Id=alice;Password=\"s3cret-Pa55\";Data Source=//db:1521/FREE;Proxy User Id=alice;Proxy Password=s3cret-Pa55",
            "postgresql://alice:s3cret-Pa55@db:5432/perf?sslmode=require&password=s3cret-Pa55",
            "mongodb://alice:s3cret-Pa55@a:27017,b:27017/perf?replicaSet=rs0",
            "mongodb://alice:p/?@s3cret-Pa55@a:27017/perf",
            "mongodb+srv://alice@a/perf?tlsCertificateKeyFilePassword=s3cret-Pa55",
            "Password=s3cret-Pa55;alice",
            "=;;alice=s3cret-Pa55'",
        ];

    [Theory]
    [MemberData(nameof(Secretive))]
    public void User_and_password_are_dropped_from_every_form(string connectionString)
    {
        var redacted = ConnectionStringRedactor.Redact(connectionString);

        Assert.DoesNotContain("alice", redacted);
        Assert.DoesNotContain("Pa55", redacted);
    }

    [Theory]
    [MemberData(nameof(Secretive))]
    public void Redacting_twice_changes_nothing(string connectionString)
    {
        var redacted = ConnectionStringRedactor.Redact(connectionString);

        Assert.Equal(redacted, ConnectionStringRedactor.Redact(redacted));
    }

    /// <summary>Each by a name that no other entry of the list would drop.</summary>
    [Theory]
    [InlineData("Password")]
    [InlineData("Passwd")]
    [InlineData("PWD")]
    [InlineData("User")]
    [InlineData("UID")]
    [InlineData("Passfile")]
    [InlineData("Passphrase")]
    [InlineData("clientSecret")]
    [InlineData("accessToken")]
    [InlineData("Credential")]
    [InlineData("rootCertificate")]
    [InlineData("sslcert")]
    [InlineData("SSL Key")]
    [InlineData("sslkey")]
    [InlineData("tlsKeyFile")]
    [InlineData("tlsCAFile")]
    [InlineData("Wallet_Location")]
    [InlineData("proxyHost")]
    [InlineData("authMechanismProperties")]
    public void Key_that_holds_a_secret_or_leads_to_one_is_dropped(string key)
    {
        Assert.Equal("host=db", ConnectionStringRedactor.Redact($"Host=db;{key}=s3cret"));
        Assert.Equal("mongodb://a/perf?w=1", ConnectionStringRedactor.Redact($"mongodb://a/perf?{key}=s3cret&w=1"));
    }

    [Theory]
    [InlineData("Host=db;Port=5433;Database=perf;Username=alice;Password=x;Keepalive=30", "host=db;port=5433;database=perf;keepalive=30")]
    [InlineData("Host=/run/postgresql;Port=5433", "host=(path);port=5433")]
    [InlineData("Host=db;SSL Mode=VerifyFull;Root Certificate=/etc/ca.pem", "host=db;ssl mode=VerifyFull")]
    [InlineData(
        "mongodb://alice:x@a:27017,b:27017/perf?replicaSet=rs0&w=majority",
        "mongodb://a:27017,b:27017/perf?replicaSet=rs0&w=majority"
    )]
    [InlineData("postgresql://db/perf", "postgresql://db/perf")]
    [InlineData("mongodb://a:27017/perf?appName=a?b&password=x?y&w=1", "mongodb://a:27017/perf?appName=a?b&w=1")]
    [InlineData("nonsense", "(connection string not readable)")]
    public void Host_port_database_and_options_are_kept(string connectionString, string expected) =>
        Assert.Equal(expected, ConnectionStringRedactor.Redact(connectionString));
}

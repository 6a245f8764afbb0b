using Serdica.Perf.Results.Scrubbing;

namespace Serdica.Perf.Measurement.Tests.Baselines;

public sealed class ScrubberTests
{
    [Theory]
    [InlineData("Host=db;Password=s3cret-Pa55;Port=1", "Host=db;Password=(secret);Port=1")]
    [InlineData("pwd = 's3cret Pa55' and more", "pwd = (secret) and more")]
    [InlineData("""{"text":"Password=\"s3cret Pa55\";Port=1"}""", """{"text":"Password=(secret);Port=1"}""")]
    [InlineData("at postgresql://alice:s3/cr@et@db.example:5432/perf now", "at postgresql://(secret)@db.example:5432/perf now")]
    [InlineData("SECRET: abc, next", "SECRET: (secret), next")]
    [InlineData("the password was refused", "the password was refused")]
    [InlineData("https://example.org/a@b", "https://example.org/a@b")]
    [InlineData("PGPASSWORD=s3cret psql", "PGPASSWORD=(secret) psql")]
    [InlineData("-e POSTGRES_PASSWORD=s3cret -e A=1", "-e POSTGRES_PASSWORD=(secret) -e A=1")]
    [InlineData("""{"password":"s3,cret","port":1}""", """{"password":(secret),"port":1}""")]
    [InlineData("""{\"password\": \"s3,cret\",\"port\":1}""", """{\"password\": (secret),\"port\":1}""")]
    [InlineData("sqlplus -s perf/s3cret@//db:1521/FREEPDB1", "sqlplus -s (secret)@//db:1521/FREEPDB1")]
    [InlineData("perf/\"s3 c@ret\"@db:1521/FREE", "(secret)@db:1521/FREE")]
    [InlineData("Host=db;Password=s3,cret;Port=1", "Host=db;Password=(secret);Port=1")]
    [InlineData("Host=db;Password=s3 cr&et;Port=1", "Host=db;Password=(secret);Port=1")]
    [InlineData("Password=s3\"c'ret;Port=1", "Password=(secret);Port=1")]
    [InlineData("Password=\"s3\"\"cret\";Port=1", "Password=(secret);Port=1")]
    [InlineData("Port=1;Password=s3 cret, x", "Port=1;Password=(secret)")]
    [InlineData("postgresql://db/perf?password=s3cret&sslmode=require", "postgresql://db/perf?password=(secret)&sslmode=require")]
    [InlineData("sslkey=a.pem Passphrase=s3cret next", "sslkey=a.pem Passphrase=(secret) next")]
    [InlineData("aws_secret_key=s3cret next", "aws_secret_key=(secret) next")]
    [InlineData("Access-Token: s3cret next", "Access-Token: (secret) next")]
    [InlineData("https://t0ken@example.org/a", "https://(secret)@example.org/a")]
    [InlineData("mongosh --password s3cret --quiet", "mongosh --password (secret) --quiet")]
    [InlineData("28P01: password authentication failed for user \"alice\"", "28P01: password authentication failed for user \"(user)\"")]
    [InlineData("FATAL: role \\\"alice\\\" does not exist", "FATAL: role \\\"(user)\\\" does not exist")]
    [InlineData("Unable to authenticate username 'alice' using it.", "Unable to authenticate username '(user)' using it.")]
    [InlineData("ORA-01045: user ALICE lacks CREATE SESSION privilege", "ORA-01045: user (user) lacks CREATE SESSION privilege")]
    [InlineData("Host=db;Username=alice;Port=1", "Host=db;Username=(secret);Port=1")]
    [InlineData(
        "image postgres@sha256:0123456789abcdef, password_encryption=scram-sha-256",
        "image postgres@sha256:0123456789abcdef, password_encryption=scram-sha-256"
    )]
    [InlineData("actions/checkout@v4 and src/a.cs", "actions/checkout@v4 and src/a.cs")]
    public void Secrets_go_and_the_rest_stays(string text, string expected)
    {
        Assert.Equal(expected, SecretScrubber.Scrub(text));
        Assert.Equal(expected, SecretScrubber.Scrub(expected));
    }

    [Theory]
    [InlineData("PGPASSWORD", true)]
    [InlineData("tlsCertificateKeyFilePassword", true)]
    [InlineData("session_token", true)]
    [InlineData("secretKey", true)]
    [InlineData("sslPassphrase", true)]
    [InlineData("password\n", true)]
    [InlineData("password_encryption", false)]
    [InlineData("tokenizer", false)]
    [InlineData("Port", false)]
    public void Field_holds_a_secret_when_its_name_ends_in_one(string name, bool isSecret) =>
        Assert.Equal(isSecret, SecretScrubber.IsSecret(name));

    [Theory]
    [InlineData("run --output /home/alice/runs --json", "run --output (path) --json")]
    [InlineData("run --output \"/home/alice/my runs/x\" --json", "run --output \"(path)\" --json")]
    [InlineData("in '/tmp': full", "in '(path)': full")]
    [InlineData("data_directory=/var/lib/postgresql/15", "data_directory=(path)")]
    [InlineData(@"--output C:\Users\alice\runs now", "--output (path) now")]
    [InlineData(@"\\server\share\runs", "(path)")]
    [InlineData("~/runs/a", "(path)")]
    [InlineData("file:///home/alice/x", "file://(path)")]
    [InlineData(
        "12 /s and 3 ops/s, TestResults/workflow-performance/x, https://example.org/a/b",
        "12 /s and 3 ops/s, TestResults/workflow-performance/x, https://example.org/a/b"
    )]
    [InlineData("select a / b from t", "select a / b from t")]
    public void Absolute_paths_go_and_the_rest_stays(string text, string expected) => Assert.Equal(expected, PathScrubber.Scrub(text));
}

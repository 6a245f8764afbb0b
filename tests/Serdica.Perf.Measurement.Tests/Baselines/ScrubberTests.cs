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
    public void Secrets_go_and_the_rest_stays(string text, string expected)
    {
        Assert.Equal(expected, SecretScrubber.Scrub(text));
        Assert.Equal(expected, SecretScrubber.Scrub(expected));
    }

    [Theory]
    [InlineData("run --output /home/alice/runs --json", "run --output (path) --json")]
    [InlineData("run --output \"/home/alice/my runs/x\" --json", "run --output \"(path)\" --json")]
    [InlineData("in '/tmp': full", "in '(path)': full")]
    [InlineData("data_directory=/var/lib/postgresql/15", "data_directory=(path)")]
    [InlineData(@"--output C:\Users\alice\runs now", "--output (path) now")]
    [InlineData(@"\\server\share\runs", "(path)")]
    [InlineData("~/runs/a", "(path)")]
    [InlineData("file:///home/alice/x", "file://(path)")]
    [InlineData("12 /s and 3 ops/s, TestResults/workflow-performance/x, https://example.org/a/b", "12 /s and 3 ops/s, TestResults/workflow-performance/x, https://example.org/a/b")]
    [InlineData("select a / b from t", "select a / b from t")]
    public void Absolute_paths_go_and_the_rest_stays(string text, string expected) =>
        Assert.Equal(expected, PathScrubber.Scrub(text));
}

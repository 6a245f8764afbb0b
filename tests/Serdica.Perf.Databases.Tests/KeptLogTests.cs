namespace Serdica.Perf.Databases.Tests;

public sealed class KeptLogTests : ScratchTests
{
    /// <summary>Kept logs lie in the temporary folder, where anybody may put a link before them.</summary>
    [Fact]
    public void Link_in_the_place_of_a_kept_log_is_not_followed()
    {
        var (precious, log) = (Path.Combine(Root.Path, "precious"), Path.Combine(Root.Path, "server.log"));
        File.WriteAllText(precious, "as it was");
        File.CreateSymbolicLink(log, precious);

        var fault = KeptLog.Fault("It did not start", "what the server said", log);

        Assert.Equal("as it was", File.ReadAllText(precious));
        var kept = Assert.Single(Directory.GetFiles(Root.Path), file => file != precious && file != log);
        Assert.Contains(kept, fault.Message);
        Assert.Equal("what the server said", File.ReadAllText(kept).TrimEnd());
    }

    [Fact]
    public void End_of_a_log_is_quoted()
    {
        var log = Path.Combine(Root.Path, "server.log");

        var fault = KeptLog.Fault("It did not start", string.Join('\n', Range(101, 20)), log);

        Assert.Equal(Range(106, 15).Select(line => $"  {line}"), fault.Message.Split(Environment.NewLine).Skip(1));
    }

    [Fact]
    public void Kept_log_is_for_its_user_alone()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has other access rights.");
            return;
        }

        var log = Path.Combine(Root.Path, "server.log");

        KeptLog.Fault("It did not start", "what the server said", log);

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(log));
    }
}

namespace Serdica.Perf.Databases.Tests;

public sealed class ServerCommandTests
{
    /// <summary>PGDATA, PGPORT and their like would redirect or change the throw-away server.</summary>
    [Fact]
    public async Task Variables_of_whoever_measures_do_not_reach_programs_of_a_server()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The program that shows its variables is a Unix program.");
        Environment.SetEnvironmentVariable("PGSERDICATEST", "not for a server");

        var (exitCode, output) = await new ServerCommand(user: null, Path.GetTempPath()).RunAsync(
            "env",
            [],
            HangGuard.Limit,
            Token,
            new Dictionary<string, string> { ["PGSERDICAGIVEN"] = "for this server" }
        );

        Assert.Equal(0, exitCode);
        Assert.DoesNotContain("PGSERDICATEST", output);
        Assert.Contains("PGSERDICAGIVEN=for this server", output);
    }
}

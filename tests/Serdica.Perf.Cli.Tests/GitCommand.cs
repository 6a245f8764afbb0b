namespace Serdica.Perf.Cli.Tests;

/// <summary>Runs git in a folder of a test.</summary>
internal static class GitCommand
{
    /// <returns>What git printed.</returns>
    public static string Run(string folder, params string[] arguments)
    {
        using var git = Process.Start(new ProcessStartInfo("git", arguments) { WorkingDirectory = folder, RedirectStandardOutput = true })!;
        var output = git.StandardOutput.ReadToEnd();
        git.WaitForExit();
        Assert.Equal(0, git.ExitCode);
        return output;
    }

    /// <summary>Commits everything in the folder.</summary>
    public static void Commit(string folder)
    {
        Run(folder, "add", "-A");
        Run(folder, "-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", "--quiet", "--no-gpg-sign", "-m", "Test");
    }
}

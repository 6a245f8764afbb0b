using System.Diagnostics;

namespace Serdica.Perf.Databases.Tests;

/// <summary>Observes processes and folders that ought to go away.</summary>
internal static class ServerProcess
{
    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(100);

    public static bool IsRunning(int processId)
    {
        // In a container without an init process a reparented process stays as a zombie, which runs no more.
        if (OperatingSystem.IsLinux())
        {
            try
            {
                var stat = File.ReadAllText($"/proc/{processId}/stat");
                return stat[stat.LastIndexOf(')')..] is not [_, _, 'Z', ..];
            }
            catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
            {
                return false;
            }
        }

        try
        {
            using var process = Process.GetProcessById(processId);
            return !process.HasExited;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    /// <summary>Polls until the condition holds, and fails with the sentence when it does not in time.</summary>
    public static async Task UntilAsync(Func<bool> condition, string otherwise)
    {
        var started = TimeProvider.System.GetTimestamp();

        while (!condition())
        {
            if (TimeProvider.System.GetElapsedTime(started) > HangGuard.Limit)
                Assert.Fail($"{otherwise} (waited {HangGuard.Limit.TotalSeconds:F0} s)");

            await Task.Delay(PollInterval, TestContext.Current.CancellationToken);
        }
    }
}

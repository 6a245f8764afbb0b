namespace Serdica.Perf.Databases.Tests;

/// <summary>Observes processes that ought to go away.</summary>
internal static class ServerProcess
{
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
            catch (IOException)
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
}

namespace Serdica.Perf.Databases.Local;

/// <summary>Tells the process of a throw-away server from any other of the same number.</summary>
internal static class ServerProcess
{
    /// <summary>
    /// Whether the process runs with the data folder as one of its arguments. Process numbers come round again, so a
    /// number in a file is no reason to signal a process.
    /// </summary>
    public static bool Serves(int processId, string dataFolder)
    {
        try
        {
            var commandLine = $"/proc/{processId}/cmdline";

            if (OperatingSystem.IsLinux())
                return File.Exists(commandLine) && File.ReadAllText(commandLine).Split('\0').Contains(dataFolder);

            using var process = Process.GetProcessById(processId);
            return process.ProcessName.StartsWith("postgres", Ordinal);
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}

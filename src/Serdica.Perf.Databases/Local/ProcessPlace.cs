namespace Serdica.Perf.Databases.Local;

/// <summary>
/// Within what a process number means one process: one boot of one kernel, and one of its process namespaces. A host name
/// would not do: machines and containers that share a folder or a container engine may have the same.
/// </summary>
internal static class ProcessPlace
{
    /// <summary>The place of this process, without a slash. Elsewhere than on Linux the name of the machine.</summary>
    public static string Here { get; } = Read();

    private static string Read()
    {
        try
        {
            var boot = File.ReadAllText("/proc/sys/kernel/random/boot_id").Trim();
            var space = new FileInfo("/proc/self/ns/pid").LinkTarget?.Split('[', ']').ElementAtOrDefault(1) ?? "0";
            return $"{boot}-{space}";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return Environment.MachineName;
        }
    }
}

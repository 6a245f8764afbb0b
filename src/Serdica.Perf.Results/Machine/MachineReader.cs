using System.Runtime.InteropServices;

namespace Serdica.Perf.Results.Machine;

internal static class MachineReader
{
    public static MachineDescription Read(EnvironmentOptions options)
    {
        var root = options.SystemRoot;
        var cpuInfo = SystemFile.Read(root, "proc/cpuinfo");
        var cpuModel = Value(cpuInfo, "model name", ':') ?? Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER");
        var cores = cpuInfo is null ? Environment.ProcessorCount : Math.Max(1, Values(cpuInfo, "processor", ':').Count());
        var memory = Memory(root);
        var system = Value(SystemFile.Read(root, "etc/os-release"), "PRETTY_NAME", '=')?.Trim('"') ?? RuntimeInformation.OSDescription;
        return new()
        {
            MachineName = options.MachineName ?? Describe(cores, cpuModel, memory, system),
            CpuModel = cpuModel,
            LogicalCores = cores,
            MemoryBytes = memory,
            CgroupCpuLimit = CgroupLimits.Cpu(root),
            CgroupMemoryLimitBytes = CgroupLimits.Memory(root),
            OperatingSystem = system,
            Kernel = SystemFile.Read(root, "proc/sys/kernel/osrelease") ?? Environment.OSVersion.VersionString,
            Architecture = RuntimeInformation.OSArchitecture.ToString(),
            InContainer = InContainer(root),
        };
    }

    private static string Describe(int cores, string? cpuModel, long? memory, string system)
    {
        var gibibytes = memory is { } bytes ? $"{Math.Round(bytes / (double)(1L << 30)).ToString(CultureInfo.InvariantCulture)} GiB, " : "";
        return $"{cores}-core {cpuModel ?? RuntimeInformation.OSArchitecture.ToString()}, {gibibytes}{system}";
    }

    private static long? Memory(string root)
    {
        var total = Value(SystemFile.Read(root, "proc/meminfo"), "MemTotal", ':')?.Split(' ')[0];
        return long.TryParse(total, CultureInfo.InvariantCulture, out var kibibytes)
            ? kibibytes * 1024
            : GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
    }

    private static bool InContainer(string root) =>
        File.Exists(Path.Combine(root, ".dockerenv"))
        || File.Exists(Path.Combine(root, "run/.containerenv"))
        || Environment.GetEnvironmentVariable("DOTNET_RUNNING_IN_CONTAINER") == "true";

    private static string? Value(string? text, string key, char separator) =>
        text is null ? null : Values(text, key, separator).FirstOrDefault(value => value.Length > 0);

    private static IEnumerable<string> Values(string text, string key, char separator) =>
        from line in text.Split('\n')
        let cut = line.IndexOf(separator)
        where cut > 0 && line[..cut].Trim() == key
        select line[(cut + 1)..].Trim();
}

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A script in the place of <c>dotnet</c>, for what the repository's own scripts make of the answers that they get.</summary>
internal static class StandIn
{
    private const string Folder = "programs";

    /// <summary>The path of the real one.</summary>
    public static string Real { get; } =
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(System.IO.Path.PathSeparator)
            .Select(folder => System.IO.Path.Combine(folder, "dotnet"))
            .First(File.Exists);

    public static void Write(TemporaryFolder folder, string dotnet)
    {
        Directory.CreateDirectory(folder.Below(Folder));
        File.WriteAllText(folder.Below(Folder, "dotnet"), dotnet + "\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(folder.Below(Folder, "dotnet"), UnixFileMode.UserRead | UnixFileMode.UserExecute);
    }

    /// <summary>Where the stand-in is found before the real one.</summary>
    public static string Path(string folder) =>
        System.IO.Path.Combine(folder, Folder) + System.IO.Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
}

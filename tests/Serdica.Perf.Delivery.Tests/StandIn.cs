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

    public static void Write(TemporaryFolder folder, string dotnet) => WriteProgram(folder.Below(Folder, "dotnet"), dotnet);

    /// <param name="file">The program; its folder need not exist.</param>
    public static void WriteProgram(string file, string script)
    {
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(file)!);
        File.WriteAllText(file, script + "\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserExecute);
    }

    /// <summary>Where the stand-in is found before the real one.</summary>
    public static Dictionary<string, string> Variables(string folder) => new() { ["PATH"] = Path(folder) };

    /// <inheritdoc cref="Variables"/>
    public static string Path(string folder) =>
        System.IO.Path.Combine(folder, Folder) + System.IO.Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
}

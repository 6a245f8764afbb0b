namespace Serdica.Perf.Testing;

/// <summary>Where the project of the running tests is.</summary>
/// <param name="Root">The root of its repository; without one, the folder of the solution or of the project.</param>
internal sealed record TestedProject(string Root, string RelativePath)
{
    public static TestedProject Current { get; } = Find(AppContext.BaseDirectory);

    internal static TestedProject Find(string start)
    {
        var project = Above(start, folder => Any(folder, "*.csproj")) ?? Directory.GetCurrentDirectory();
        var root =
            Above(start, folder => Path.Exists(Path.Combine(folder, ".git"))) ?? Above(start, folder => Any(folder, "*.sln*")) ?? project;
        return new(root, Path.GetRelativePath(root, project).Replace('\\', '/'));
    }

    private static bool Any(string folder, string pattern) => Directory.EnumerateFiles(folder, pattern).Any();

    private static string? Above(string start, Func<string, bool> isIt)
    {
        var folder = new DirectoryInfo(start);
        while (folder is not null && !isIt(folder.FullName))
            folder = folder.Parent;
        return folder?.FullName;
    }
}

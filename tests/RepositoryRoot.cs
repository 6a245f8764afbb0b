namespace Serdica.Perf.Tests;

/// <summary>The root of the repository in which the tests were built.</summary>
internal static class RepositoryRoot
{
    public static string Folder { get; } = Find();

    private static string Find()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "Serdica.Perf.sln")))
            folder = folder.Parent;
        return folder?.FullName
            ?? throw new DirectoryNotFoundException(
                $"The tests don't run within the repository: there is no Serdica.Perf.sln above {AppContext.BaseDirectory}."
            );
    }
}

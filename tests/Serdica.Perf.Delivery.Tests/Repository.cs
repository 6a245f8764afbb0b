namespace Serdica.Perf.Delivery.Tests;

/// <summary>The files of this repository, by their path from its root.</summary>
internal static class Repository
{
    public static string Root { get; } = Find();

    public static string PathOf(string relative) => Path.Combine(Root, relative);

    private static string Find()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder!.FullName, "Serdica.Perf.sln")))
            folder = folder.Parent;
        return folder.FullName;
    }
}

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A script of <c>eng</c> and what is compiled into it, for a copy that runs elsewhere.</summary>
internal static class ScriptFiles
{
    /// <param name="folder">Gets the copy.</param>
    /// <param name="script">The path of the script from the root of the repository.</param>
    /// <param name="parts">Folders that it is compiled with beside what eng/Directory.Build.props names.</param>
    public static void Copy(TemporaryFolder folder, string script, params string[] parts)
    {
        string[] folders = ["eng/shared", "src/Serdica.Perf.Databases/PostgreSql/Installed", .. parts];
        string[] files =
        [
            .. folders
                .SelectMany(path => Directory.GetFiles(Repository.PathOf(path), "*.cs"))
                .Select(file => Path.GetRelativePath(Repository.Root, file)),
            "Directory.Build.props",
            "eng/Directory.Build.props",
            "eng/Directory.Build.targets",
            "src/Serdica.Perf.Databases/OwnFolder.cs",
            script,
        ];
        foreach (var file in files)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(folder.Below(file))!);
            File.Copy(Repository.PathOf(file), folder.Below(file));
        }
    }
}

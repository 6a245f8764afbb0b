namespace Serdica.Perf.Delivery.Tests;

/// <summary>A script of <c>eng</c> and what is compiled into it, for a copy that runs elsewhere.</summary>
internal static class ScriptFiles
{
    /// <param name="script">The path of the script from the root of the repository.</param>
    /// <param name="parts">Folders that it is compiled with beside what eng/Directory.Build.props names.</param>
    public static IEnumerable<string> Of(string script, params string[] parts) =>
        ((string[])["eng/shared", "src/Serdica.Perf.Databases/PostgreSql/Installed", .. parts])
            .SelectMany(folder => Directory.GetFiles(Repository.PathOf(folder), "*.cs"))
            .Select(file => Path.GetRelativePath(Repository.Root, file))
            .Concat([
                "Directory.Build.props",
                "eng/Directory.Build.props",
                "eng/Directory.Build.targets",
                "src/Serdica.Perf.Databases/OwnFolder.cs",
                script,
            ]);

    public static void Copy(string file, TemporaryFolder folder)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(folder.Below(file))!);
        File.Copy(Repository.PathOf(file), folder.Below(file));
    }
}

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A script of <c>eng</c> in a folder of its own, with what is compiled into it. It is compiled once.</summary>
public sealed class ScriptCopy : IDisposable
{
    private bool _isCompiled;

    internal TemporaryFolder Folder { get; } = new();

    /// <param name="script">The path of the script from the root of the repository; `dotnet run --no-build` starts it.</param>
    /// <param name="parts">Folders that it is compiled with beside what eng/Directory.Build.props names.</param>
    internal async Task<TemporaryFolder> CompileAsync(string script, params string[] parts)
    {
        if (_isCompiled)
            return Folder;
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
            Directory.CreateDirectory(Path.GetDirectoryName(Folder.Below(file))!);
            File.Copy(Repository.PathOf(file), Folder.Below(file));
        }

        var build = await DotnetCommand.RunAsync(Folder.Path, new Dictionary<string, string>(), "build", script);
        Assert.True(build.ExitCode == 0, build.Output);
        _isCompiled = true;
        return Folder;
    }

    public void Dispose() => Folder.Dispose();
}

namespace Serdica.Perf.Results.Folders;

/// <summary>Folders of results that are kept in git. Commands that read them write there only what somebody names.</summary>
internal static class Baselines
{
    /// <summary>The name of such a folder, wherever it is: <c>TestResults/baselines</c>, <c>docs/baselines</c>.</summary>
    public const string FolderName = "baselines";

    /// <summary>Whether a file or folder is in one, however deep.</summary>
    public static bool Contain(string path) =>
        Path.GetFullPath(path).Split(Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar).Contains(FolderName);
}

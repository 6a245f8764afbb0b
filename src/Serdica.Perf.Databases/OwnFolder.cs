namespace Serdica.Perf.Databases;

/// <summary>
/// The one way in which the suite and its scripts delete folders with all they hold: only a folder that carries a marker
/// of theirs is ever deleted, whatever its name or the variable that led to it.
/// </summary>
/// <remarks>The scripts in <c>eng</c> compile this file too, so it uses nothing else of the suite.</remarks>
internal static class OwnFolder
{
    /// <summary>Name of the marker file of most folders.</summary>
    public const string MarkerName = ".serdica-perf";

    private const string Signature = "Serdica.Perf";

    // That of a prepared DocumentDB, and that of a throw-away server, are older and hold more.
    private static readonly string[] Markers = [MarkerName, "prepared", "owner"];

    /// <summary>Makes a folder in the system's temporary folder that only this user may enter, and marks it.</summary>
    public static string CreateTemporary(string prefix)
    {
        var path = Directory.CreateTempSubdirectory(prefix).FullName;
        Mark(path);
        return path;
    }

    /// <summary>Makes the folder if it is not there, and marks it when it is new or empty.</summary>
    /// <exception cref="IOException">The folder holds something and has no marker, so it is somebody else's.</exception>
    public static void Create(string path)
    {
        Directory.CreateDirectory(path);
        if (Directory.EnumerateFileSystemEntries(path).Any())
            DemandMarker(path);
        else
            Mark(path);
    }

    /// <summary>Whether the folder is a real one, no link, and carries a marker.</summary>
    public static bool IsOurs(string path) => new DirectoryInfo(path) is { Exists: true, LinkTarget: null } && Marker(path) is not null;

    /// <summary>
    /// Deletes the folder with all it holds. Nothing happens when it is not there; links in it are removed and not
    /// followed.
    /// </summary>
    /// <exception cref="IOException">It has no marker and stays as it is, or it cannot be deleted.</exception>
    public static void Delete(string path)
    {
        var folder = new DirectoryInfo(path);
        if (!folder.Exists)
            return;

        var marker = DemandMarker(path);

        // The marker goes last: a deletion that is interrupted can be taken up again.
        foreach (var entry in folder.EnumerateFileSystemInfos().Where(entry => entry.Name != marker))
        {
            if (entry is DirectoryInfo { LinkTarget: null } part)
                part.Delete(recursive: true);
            else
                entry.Delete();
        }

        File.Delete(Path.Combine(path, marker));
        folder.Delete();
    }

    /// <summary>Marks a folder that the caller has just made.</summary>
    public static void Mark(string path) =>
        File.WriteAllText(Path.Combine(path, MarkerName), $"{Signature} made this folder and deletes it.\n");

    private static string DemandMarker(string path) =>
        (IsOurs(path) ? Marker(path) : null)
        ?? throw new IOException(
            $"The folder '{path}' has no marker of {Signature}, so it stays as it is: remove it yourself if nobody needs it, "
                + "or choose another folder."
        );

    private static string? Marker(string path) => Array.Find(Markers, name =>
        {
            var file = new FileInfo(Path.Combine(path, name));
            return file is { Exists: true, LinkTarget: null }
                && File.ReadLines(file.FullName).FirstOrDefault()?.Contains(Signature, Ordinal) == true;
        });
}

namespace Serdica.Perf.Results.Folders;

/// <summary>Files that a full disk or a killed process leaves as they were: written beside their places, and moved when complete.</summary>
internal static class WholeFile
{
    /// <summary>The ending of what is being written.</summary>
    public const string Draft = ".tmp";

    public static void Write(string path, string text) => Write(path, file => file.Write(Encoding.UTF8.GetBytes(text)));

    public static void Write(string path, Action<Stream> write)
    {
        WriteDraft(path, write);
        File.Move(path + Draft, path, overwrite: true);
    }

    /// <summary>Writes files that are not there yet: all of them, or none.</summary>
    public static void WriteNew(IReadOnlyCollection<(string Path, Action<Stream> Write)> files)
    {
        var written = new List<string>();
        try
        {
            foreach (var (path, write) in files)
                WriteDraft(path, write);
            foreach (var (path, _) in files)
            {
                File.Move(path + Draft, path);
                written.Add(path);
            }
        }
        catch
        {
            foreach (var path in files.Select(file => file.Path + Draft).Concat(written))
                File.Delete(path);
            throw;
        }
    }

    private static void WriteDraft(string path, Action<Stream> write)
    {
        using var file = File.Create(path + Draft);
        write(file);
    }
}

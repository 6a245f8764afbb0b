namespace Serdica.Perf.Results.Machine;

/// <summary>The small files through which a Linux system describes itself.</summary>
internal static class SystemFile
{
    /// <summary>The trimmed text of a file; null when the file does not exist or cannot be read.</summary>
    public static string? Read(string root, string path)
    {
        try
        {
            return File.ReadAllText(Path.Combine(root, path)).Trim();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}

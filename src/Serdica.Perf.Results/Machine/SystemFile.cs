namespace Serdica.Perf.Results.Machine;

/// <summary>The small files in which a Linux system tells about itself.</summary>
internal static class SystemFile
{
    /// <summary>Its text without the white space around it; null when there is no such file or it may not be read.</summary>
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

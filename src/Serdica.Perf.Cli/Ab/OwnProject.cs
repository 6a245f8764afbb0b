namespace Serdica.Perf.Cli.Ab;

/// <summary>A project with scenarios of the user's own.</summary>
internal sealed record OwnProject(string File)
{
    public string Folder => Path.GetDirectoryName(File)!;

    /// <exception cref="UsageException">There is none, or more than one.</exception>
    public static OwnProject Find(string text)
    {
        if (System.IO.File.Exists(text))
            return new(Path.GetFullPath(text));
        string[] projects = Directory.Exists(text) ? Directory.GetFiles(text, "*.csproj") : [];
        return projects switch
        {
            [var only] => new(Path.GetFullPath(only)),
            [] => throw new UsageException($"There is no project at '{text}'; name a .csproj file or a folder with one."),
            _ => throw new UsageException(
                $"'{text}' has several projects; name one of {string.Join(", ", projects.Select(Path.GetFileName))}."
            ),
        };
    }
}

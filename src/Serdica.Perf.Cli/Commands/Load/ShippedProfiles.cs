namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>The load profiles that come with the tool.</summary>
internal static class ShippedProfiles
{
    private const string Prefix = "Profiles/";

    public static IReadOnlyList<string> Names { get; } =
    [
        .. typeof(ShippedProfiles)
            .Assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, Ordinal))
            .Select(name => name[Prefix.Length..])
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>Reads a shipped profile by its name, or a file.</summary>
    /// <exception cref="LoadProfileException">There is none, or it cannot be read.</exception>
    public static LoadProfile Read(string nameOrFile)
    {
        if (typeof(ShippedProfiles).Assembly.GetManifestResourceStream(Prefix + nameOrFile) is not { } stream)
        {
            return File.Exists(nameOrFile)
                ? LoadProfileReader.Read(nameOrFile)
                : throw new LoadProfileException(
                    $"There is no profile or file '{nameOrFile}'; the profiles are {string.Join(", ", Names)}."
                );
        }

        using var reader = new StreamReader(stream);
        return LoadProfileReader.Parse(reader.ReadToEnd(), nameOrFile);
    }
}

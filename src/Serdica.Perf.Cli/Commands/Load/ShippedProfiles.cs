using Serdica.Perf.Measurement.LoadTests.Profiles;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>The load profiles that come with the tool.</summary>
internal static class ShippedProfiles
{
    private const string Prefix = "Profiles/";

    public static IReadOnlyList<string> Names { get; } =
    [
        .. typeof(ShippedProfiles).Assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal))
            .Select(name => name[Prefix.Length..])
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>By the name of a shipped profile, or from a file.</summary>
    /// <exception cref="LoadProfileException">There is none, or it can't be read.</exception>
    public static LoadProfile Read(string nameOrFile)
    {
        if (typeof(ShippedProfiles).Assembly.GetManifestResourceStream(Prefix + nameOrFile) is not { } stream)
        {
            return File.Exists(nameOrFile)
                ? LoadProfileReader.Read(nameOrFile)
                : throw new LoadProfileException($"There is no profile and no file '{nameOrFile}'; there are {string.Join(", ", Names)}.");
        }

        using var reader = new StreamReader(stream);
        return LoadProfileReader.Parse(reader.ReadToEnd(), nameOrFile);
    }
}

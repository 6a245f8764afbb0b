using System.Reflection;
using System.Runtime.Loader;

namespace Serdica.Perf.Cli.Options;

/// <summary>The scenarios of a user's own assembly: every public static property of type <see cref="Scenario"/>.</summary>
internal static class ScenarioAssembly
{
    /// <summary>Where git is asked for the commit of the scenarios in it; null without an assembly, for those of the suite.</summary>
    public static string? SourceFolder(string? file) => file is null ? null : Path.GetDirectoryName(Path.GetFullPath(file));

    /// <exception cref="UsageException">There is no such assembly, or no scenario in it.</exception>
    public static IReadOnlyList<Scenario> Load(string file)
    {
        var path = Path.GetFullPath(file);
        if (!File.Exists(path))
            throw new UsageException($"There is no assembly '{file}'; build the project, and name the .dll that the build wrote.");

        try
        {
            return Of(new Context(path).LoadFromAssemblyPath(path).GetExportedTypes(), file);
        }
        catch (TargetInvocationException e)
        {
            throw new UsageException($"A scenario in '{file}' cannot be created: {e.GetBaseException().Message}");
        }
        catch (Exception e) when (e is BadImageFormatException or FileLoadException or FileNotFoundException or TypeLoadException)
        {
            throw new UsageException(
                $"'{file}' cannot be loaded: {e.Message} Build it against the version of Serdica.Perf that this program has."
            );
        }
    }

    /// <summary>Results know a scenario by its name alone.</summary>
    /// <exception cref="UsageException">There is no scenario, or two have one name.</exception>
    internal static IReadOnlyList<Scenario> Of(IEnumerable<Type> types, string file)
    {
        var scenarios = types
            .SelectMany(type => type.GetProperties(BindingFlags.Public | BindingFlags.Static))
            .Where(property => property.PropertyType == typeof(Scenario))
            .Select(property => property.GetValue(null))
            .OfType<Scenario>()
            .ToList();
        if (scenarios.Count == 0)
            throw new UsageException(
                $"There is no scenario in '{file}'; a scenario is a public static property of type {typeof(Scenario).FullName}."
            );
        return scenarios.CountBy(scenario => scenario.Name).FirstOrDefault(count => count.Value > 1) is { Key: { } name }
            ? throw new UsageException($"'{file}' has more than one scenario with the name '{name}'; give each a name of its own.")
            : scenarios;
    }

    /// <summary>
    /// Uses this program's copy of shared assemblies, above all of the scenarios' types, and finds the rest beside the
    /// file.
    /// </summary>
    private sealed class Context(string path) : AssemblyLoadContext(path)
    {
        private readonly AssemblyDependencyResolver _beside = new(path);

        protected override Assembly? Load(AssemblyName assemblyName)
        {
            try
            {
                return Default.LoadFromAssemblyName(new AssemblyName(assemblyName.Name!));
            }
            catch (FileNotFoundException)
            {
                return _beside.ResolveAssemblyToPath(assemblyName) is { } file ? LoadFromAssemblyPath(file) : null;
            }
        }
    }
}

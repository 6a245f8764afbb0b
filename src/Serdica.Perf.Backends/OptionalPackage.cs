using System.Reflection;

namespace Serdica.Perf.Backends;

/// <summary>A package that the build leaves out where the configured feed does not have it.</summary>
/// <param name="Cost">One sentence: what is missing without it.</param>
/// <param name="IsCompiledIn">Set by the build's switches.</param>
internal sealed record OptionalPackage(string Name, string Cost, bool IsCompiledIn)
{
    /// <summary>The switches are written into the assembly by the project file, so that no source has a condition.</summary>
    public static IReadOnlyList<OptionalPackage> All { get; } =
    [new("Oracle.ManagedDataAccess.Core", "Oracle AQ is not measured.", IsOn("WithOracleDriver"))];

    private static bool IsOn(string key) =>
        typeof(OptionalPackage)
            .Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Any(metadata => metadata.Key == key && string.Equals(metadata.Value, "true", OrdinalIgnoreCase));
}

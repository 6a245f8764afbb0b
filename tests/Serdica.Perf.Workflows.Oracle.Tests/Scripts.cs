using System.Reflection;

namespace Serdica.Perf.Workflows.Oracle.Tests;

/// <summary>The scripts and statements of the backend, for tests that hold each of them to something.</summary>
internal static class Scripts
{
    public static OracleScripts All { get; } = new("SERDICA_WF");

    /// <summary>Every statement that has binds or a name of its own.</summary>
    public static IReadOnlyList<OracleStatement> Statements { get; } =
    [
        .. typeof(OracleStatement)
            .GetFields(BindingFlags.Public | BindingFlags.Static)
            .Where(field => field.FieldType == typeof(OracleStatement))
            .Select(field => (OracleStatement)field.GetValue(null)!),
    ];

    /// <summary>Without comments.</summary>
    public static string Code(string text)
    {
        var lines = text.Split('\n').Select(line => line.IndexOf("--") is var at and >= 0 ? line[..at] : line);
        return string.Join('\n', lines);
    }

    public static TheoryData<string> Names => [.. All.Names.Order(StringComparer.Ordinal)];
}

using System.Text.RegularExpressions;

namespace Serdica.Perf.Results.Machine;

/// <summary>
/// What the suite cannot find out about the place of a run, as its user knows it: region, type of the disk and its IOPS,
/// topology of the servers. They go into every report as they are.
/// </summary>
public static partial class RunLabels
{
    /// <summary>The variable that has them, for instance <c>region=eu-central-1,disk=gp3 3000 IOPS</c>.</summary>
    public const string Variable = "SERDICA_PERF_LABELS";

    private const int LongestValue = 200;

    /// <param name="text">KEY=VALUE, several by comma; nothing is none.</param>
    /// <returns>In the order of their keys.</returns>
    /// <exception cref="EnvironmentVariableException">It is not understood.</exception>
    public static IReadOnlyDictionary<string, string> Parse(string? text)
    {
        var labels = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var label in (text ?? "").Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var (key, value) = label.Split('=', 2, StringSplitOptions.TrimEntries) is [var left, { Length: > 0 } right]
                ? (left, right)
                : throw Error($"'{label}' is no KEY=VALUE");
            if (!Key().IsMatch(key))
                throw Error($"the key '{key}' must begin with a letter and have letters, digits, '-', '_' and '.' alone");
            if (value.Length > LongestValue || value.Any(char.IsControl))
                throw Error($"the value of '{key}' must be a text of one line and at most {LongestValue} characters");
            if (!labels.TryAdd(key, value))
                throw Error($"'{key}' is there twice");
        }

        return labels;
    }

    private static EnvironmentVariableException Error(string problem) =>
        new($"{Variable} can't be read: {problem}. Write for instance {Variable}='region=eu-central-1,disk=gp3 3000 IOPS'.");

    [GeneratedRegex(@"^[A-Za-z][A-Za-z0-9._-]{0,49}\z")]
    private static partial Regex Key();
}

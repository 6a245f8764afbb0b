namespace Serdica.Perf.Results.Machine;

/// <summary>
/// What the suite cannot find out about the place of a run and its user knows: region, disk type and its IOPS, topology of the
/// servers. Every report shows the labels unchanged.
/// </summary>
internal static partial class RunLabels
{
    /// <summary>The variable that holds the labels, for instance <c>region=eu-central-1,disk=gp3 3000 IOPS</c>.</summary>
    public const string Variable = "SERDICA_PERF_LABELS";

    private const int LongestValue = 200;

    /// <param name="text">KEY=VALUE pairs separated by commas; null or empty means no labels.</param>
    /// <returns>The labels in the order of their keys.</returns>
    /// <exception cref="EnvironmentVariableException">The text cannot be parsed.</exception>
    public static IReadOnlyDictionary<string, string> Parse(string? text)
    {
        var labels = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var label in (text ?? "").Split(',', TrimEntries | RemoveEmptyEntries))
        {
            var (key, value) = label.Split('=', 2, TrimEntries) is [var left, { Length: > 0 } right]
                ? (left, right)
                : throw Error($"'{label}' is not KEY=VALUE");
            if (!Key().IsMatch(key))
                throw Error($"the key '{key}' must start with a letter and contain only letters, digits, '-', '_' and '.'");
            if (value.Length > LongestValue || value.Any(char.IsControl))
                throw Error($"the value of '{key}' must be one line of at most {LongestValue} characters");
            if (!labels.TryAdd(key, value))
                throw Error($"'{key}' is given twice");
        }

        return labels;
    }

    private static EnvironmentVariableException Error(string problem) =>
        new($"{Variable} cannot be read: {problem}. Write for instance {Variable}='region=eu-central-1,disk=gp3 3000 IOPS'.");

    [GeneratedRegex(@"^[A-Za-z][A-Za-z0-9._-]{0,49}\z")]
    private static partial Regex Key();
}

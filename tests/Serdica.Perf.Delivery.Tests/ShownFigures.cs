namespace Serdica.Perf.Delivery.Tests;

/// <summary>Figures as documents show them.</summary>
internal static partial class ShownFigures
{
    /// <summary>The cells of a line of a table.</summary>
    public static string[] Cells(string line) => [.. line.Trim().Trim('|').Split('|').Select(cell => cell.Trim())];

    /// <summary>The numbers of a text in their order, without those in links and in names such as p50.</summary>
    public static string[] Numbers(string text) => [.. Number().Matches(Link().Replace(text, "")).Select(match => match.Value)];

    /// <summary>Whether the shown numbers are the raw figures, each rounded once.</summary>
    public static bool Are(IReadOnlyList<string> shown, IReadOnlyList<double> raw) =>
        shown.Count == raw.Count && shown.SequenceEqual(raw.Zip(shown, Rounded));

    /// <summary>With as many digits as the document has.</summary>
    private static string Rounded(double value, string shown) =>
        value.ToString(shown.IndexOf('.') is > 0 and var point ? $"N{shown.Length - point - 1}" : "N0", CultureInfo.InvariantCulture);

    [GeneratedRegex(@"\[[^\]]*\]\([^)]*\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"(?<![\w.,])\d+(,\d{3})*(\.\d+)?")]
    private static partial Regex Number();
}

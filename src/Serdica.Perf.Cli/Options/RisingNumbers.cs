namespace Serdica.Perf.Cli.Options;

/// <summary>Comma-separated whole numbers, each higher than the one before.</summary>
internal static class RisingNumbers
{
    /// <param name="most">The highest number that is allowed; the lowest is 1.</param>
    /// <returns>One number or more; null when the text is something else.</returns>
    public static IReadOnlyList<int>? Parse(string text, int most)
    {
        var numbers = new List<int>();
        foreach (var part in text.Split(','))
        {
            const NumberStyles Style = NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite;
            if (
                !int.TryParse(part, Style, CultureInfo.InvariantCulture, out var number)
                || number < 1
                || number > most
                || (numbers is [.., var before] && number <= before)
            )
                return null;
            numbers.Add(number);
        }

        return numbers;
    }
}

namespace Serdica.Perf.Cli.Options;

/// <summary>An option that is a whole number within limits; the sentence on a mistake names both.</summary>
internal static class NumberOption
{
    public static Option<int?> Create(string name, string description, int least, int most) =>
        OptionDeclarations.Read<int?>(
            name,
            "N",
            description,

            // No separators of thousands: with them, a list such as 1,16 would be one large number.
            text =>
                int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most
                    ? number
                    : null,
            text =>
                Invariant($"{name} is '{text}'; it must be a whole number from {least} to {most:N0}")
                + (text.Contains(',', Ordinal) ? ", without commas." : ".")
        );
}

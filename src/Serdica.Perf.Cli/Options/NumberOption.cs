namespace Serdica.Perf.Cli.Options;

/// <summary>An option that is a whole number within limits; the sentence on a mistake names both.</summary>
internal static class NumberOption
{
    public static Option<int?> Create(string name, string description, int least, int most) =>
        new(name)
        {
            HelpName = "N",
            Description = description,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;

                // No separators of thousands: with them, a list such as 1,16 would be one large number.
                if (
                    int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                    && number >= least
                    && number <= most
                )
                    return number;
                var form = text.Contains(',', Ordinal) ? ", without commas" : "";
                result.AddError(Invariant($"{name} is '{text}'; it must be a whole number from {least} to {most:N0}{form}."));
                return null;
            },
        };
}

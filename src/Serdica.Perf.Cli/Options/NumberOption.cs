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
                if (
                    int.TryParse(
                        text,
                        NumberStyles.AllowThousands | NumberStyles.AllowLeadingSign,
                        CultureInfo.InvariantCulture,
                        out var number
                    )
                    && number >= least
                    && number <= most
                )
                    return number;
                result.AddError(
                    Invariant($"{name} is '{text}'; it must be a whole number from {least} to {most:N0}.")
                );
                return null;
            },
        };
}

namespace Serdica.Perf.Cli.Options;

/// <summary>The levels of a ladder as typed: <c>--ladder 1,4,8,16,64,256,1024</c>.</summary>
/// <param name="Levels">The callers of each level, or the writers of a queue; rising, two or more.</param>
internal sealed record LadderOfCallers(IReadOnlyList<int> Levels)
{
    public static Option<LadderOfCallers?> Option(string description)
    {
        const string Name = "--ladder";
        return new(Name)
        {
            HelpName = "N,N,...",
            Description = description,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;
                if (TryParse(text) is { } ladder)
                    return ladder;
                result.AddError(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{Name} is '{text}'; it must be two or more comma-separated whole numbers from 1 to "
                            + $"{RunLoadOptions.MaxConcurrency:N0}, "
                            + $"each higher than the one before: for instance 1,4,8,16,64,256,1024."
                    )
                );
                return null;
            },
        };
    }

    private static LadderOfCallers? TryParse(string text) =>
        RisingNumbers.Parse(text, RunLoadOptions.MaxConcurrency) is { Count: > 1 } levels ? new(levels) : null;
}

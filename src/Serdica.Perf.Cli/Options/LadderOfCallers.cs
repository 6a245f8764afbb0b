namespace Serdica.Perf.Cli.Options;

/// <summary>The levels of a ladder as typed: <c>--ladder 1,4,8,16,64,256,1024</c>.</summary>
/// <param name="Levels">The callers of each level, or the writers of a queue; rising, two or more.</param>
internal sealed record LadderOfCallers(IReadOnlyList<int> Levels)
{
    public static Option<LadderOfCallers?> Option(string description)
    {
        const string Name = "--ladder";
        return OptionDeclarations.Read<LadderOfCallers?>(
            Name,
            "N,N,...",
            description,
            text => RisingNumbers.Parse(text, RunLoadOptions.MaxConcurrency) is { Count: > 1 } levels ? new(levels) : null,
            text =>
                $"{Name} is '{text}'; it must be two or more comma-separated whole numbers from 1 to "
                + Invariant($"{RunLoadOptions.MaxConcurrency:N0}, ")
                + "each higher than the one before: for instance 1,4,8,16,64,256,1024."
        );
    }
}

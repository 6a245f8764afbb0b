using System.CommandLine;
using System.Globalization;

namespace Serdica.Perf.Cli.Options;

/// <summary>The rungs that a user asks for, as in <c>--ladder 1,4,8,16,64,256,1024</c>.</summary>
/// <param name="Rungs">Callers of each, or writers of a queue; rising, two or more.</param>
internal sealed record LadderOfCallers(IReadOnlyList<int> Rungs)
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
                result.AddError(string.Create(
                    CultureInfo.InvariantCulture,
                    $"{Name} is '{text}'; it must be two or more whole numbers by comma, each higher than the one before, from 1 to {RunOptionSet.MaxConcurrency:N0}: for instance 1,4,8,16,64,256,1024."));
                return null;
            },
        };
    }

    private static LadderOfCallers? TryParse(string text)
    {
        var rungs = new List<int>();
        foreach (var part in text.Split(','))
        {
            if (!int.TryParse(part, NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture, out var callers)
                || callers < 1 || callers > RunOptionSet.MaxConcurrency || (rungs is [.., var before] && callers <= before))
                return null;
            rungs.Add(callers);
        }

        return rungs.Count < 2 ? null : new(rungs);
    }
}

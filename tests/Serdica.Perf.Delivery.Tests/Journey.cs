namespace Serdica.Perf.Delivery.Tests;

/// <summary>A command of a journey with what the page shows of its output.</summary>
/// <param name="Output">Lines in their order; one that ends with three dots stands for any end, and alone for any lines.</param>
/// <param name="ExitCode">Of the command; 0 unless the page says otherwise.</param>
internal sealed record JourneyStep(string Command, IReadOnlyList<string> Output, int ExitCode)
{
    private const string Rest = "...";

    /// <summary>The first line of the page that the output does not have in its place; null when it has all of them.</summary>
    public string? Missing(string output)
    {
        var actual = new Queue<string>(output.Split('\n').Select(JourneyText.Bare));
        return Output.FirstOrDefault(line => line.Trim() != Rest && !Find(actual, line));
    }

    private static bool Find(Queue<string> actual, string line)
    {
        var (wanted, isStart) = line.EndsWith(Rest) ? (line[..^Rest.Length], true) : (line, false);
        wanted = JourneyText.Bare(wanted);
        while (actual.TryDequeue(out var candidate))
        {
            if (isStart ? candidate.StartsWith(wanted) : candidate == wanted)
                return true;
        }

        return false;
    }
}

/// <summary>A page of docs/journeys: each block of the kind <c>console</c> has commands after a <c>$</c>, and their output.</summary>
internal static partial class JourneyText
{
    private const string Prompt = "$ ";

    public static IReadOnlyList<JourneyStep> Read(string page)
    {
        var steps = new List<JourneyStep>();
        foreach (Match block in Block().Matches(File.ReadAllText(Repository.PathOf($"docs/journeys/{page}"))))
        {
            foreach (var line in block.Groups["lines"].Value.TrimEnd().Split('\n'))
            {
                if (line.StartsWith(Prompt))
                    steps.Add(new(line[Prompt.Length..], [], 0));
                else if (ExitCode().Match(line) is { Success: true } code)
                    steps[^1] = steps[^1] with { ExitCode = int.Parse(code.Groups[1].Value, null) };
                else if (line.Trim().Length > 0)
                    steps[^1] = steps[^1] with { Output = [.. steps[^1].Output, line] };
            }
        }

        return steps;
    }

    /// <summary>
    /// Without what differs from run to run and from terminal to terminal: figures, and the widths of columns. A cell with a dash is a
    /// figure of too few operations, as a slow machine prints it.
    /// </summary>
    public static string Bare(string line) => Widths().Replace(Figures().Replace(Blank().Replace(line, "| 0 "), "0"), " ").Trim();

    [GeneratedRegex(@"```console\n(?<lines>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Block();

    [GeneratedRegex(@"^\(exit code (\d+)\)$")]
    private static partial Regex ExitCode();

    [GeneratedRegex(@"\|\s+-\s+(?=\|)")]
    private static partial Regex Blank();

    [GeneratedRegex(@"[0-9]+([,.][0-9]+)*")]
    private static partial Regex Figures();

    [GeneratedRegex(@"[\s\-]+:?")]
    private static partial Regex Widths();
}

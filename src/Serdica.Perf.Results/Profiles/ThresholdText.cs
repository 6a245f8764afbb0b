namespace Serdica.Perf.Results.Profiles;

/// <summary>The parts of a limit as people type it: <c>FIGURE[:PART] OPERATOR VALUE</c>.</summary>
/// <param name="Part">What stands behind the colon; null without one.</param>
internal sealed partial record ThresholdText(string Figure, string? Part, ThresholdBound Bound, string Value)
{
    /// <summary>Null when the text does not have the form.</summary>
    public static ThresholdText? Split(string text)
    {
        var parts = Form().Match(text);
        if (!parts.Success)
            return null;
        var part = parts.Groups["part"];
        return new(
            parts.Groups["figure"].Value,
            part.Success ? part.Value : null,
            parts.Groups["operator"].Value switch
            {
                "<" => ThresholdBound.Below,
                "<=" => ThresholdBound.AtMost,
                ">" => ThresholdBound.Above,
                _ => ThresholdBound.AtLeast,
            },
            parts.Groups["value"].Value
        );
    }

    [GeneratedRegex("""^\s*(?<figure>[A-Za-z][\w.]*)\s*(?::\s*(?<part>[\w.]+))?\s*(?<operator><=|>=|<|>)\s*(?<value>\S+)\s*\z""")]
    private static partial Regex Form();
}

/// <summary>How a limit is written and kept.</summary>
internal static class ThresholdBounds
{
    private const double Rounding = 1e-12;

    public static string Sign(this ThresholdBound bound) =>
        bound switch
        {
            ThresholdBound.Below => "<",
            ThresholdBound.AtMost => "<=",
            ThresholdBound.Above => ">",
            _ => ">=",
        };

    /// <summary>Whether the figure keeps the limit. 7 of 1,000 keeps 0.7 %, although division by 100 makes that a little less.</summary>
    public static bool Holds(this ThresholdBound bound, double value, double limit)
    {
        var equal = Math.Abs(value - limit) <= Rounding * Math.Abs(limit);
        return bound switch
        {
            ThresholdBound.Below => value < limit && !equal,
            ThresholdBound.AtMost => value < limit || equal,
            ThresholdBound.Above => value > limit && !equal,
            _ => value > limit || equal,
        };
    }
}

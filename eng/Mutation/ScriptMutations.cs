namespace Serdica.Perf.Mutation;

/// <summary>Which changes there are of an SQL script: a condition, a lock, an order or a limit less, an operator that is another.</summary>
internal static partial class ScriptMutations
{
    /// <summary>What begins the next part of a statement, and so ends a condition at the same depth of parentheses.</summary>
    private const string Ends =
        @"\b(?:and|or|where|order by|group by|limit|offset|for update|returning|union|on conflict|cross join|left join|join|using|"
        + @"from|then|select)\b";

    /// <returns>The line (from 1), what stands there, what it becomes, and the whole script with the change.</returns>
    public static IEnumerable<(int Line, string Before, string After, string Script)> Of(string script)
    {
        var code = Comment().Replace(script, static match => new string(' ', match.Length));
        foreach (var (start, length, replacement) in Changes(code).OrderBy(change => change.Start))
        {
            var line = script.AsSpan(0, start).Count('\n') + 1;
            yield return (line, script.Substring(start, length), replacement, script[..start] + replacement + script[(start + length)..]);
        }
    }

    private static IEnumerable<(int Start, int Length, string Replacement)> Changes(string code)
    {
        foreach (Match keyword in Condition().Matches(code))
        {
            var start = keyword.Index + keyword.Length;
            var length = Extent(code, start);
            if (length > 0)
                yield return (start, length, "true");
        }

        foreach (Match part in Left().Matches(code))
            yield return (part.Index, part.Length, "");
        foreach (Match added in Added().Matches(code))
            yield return (added.Index, added.Length, added.Value == " + " ? " - " : " + ");

        // Nothing is due at exactly the time of a statement, so bounds of times are only turned round.
        foreach (Match comparison in Comparison().Matches(code))
        {
            var isTime = Time().IsMatch(LineAround(code, comparison.Index));
            yield return (comparison.Index, comparison.Length, isTime ? Turned(comparison.Value) : Moved(comparison.Value));
        }
    }

    /// <summary>How far the condition reaches that begins here.</summary>
    private static int Extent(string code, int start)
    {
        var depth = 0;
        for (var i = start; i < code.Length; i++)
        {
            if (code[i] == ')' && --depth < 0)
                return Trimmed(code, start, i);
            if (code[i] == '(')
                depth++;
            if (depth == 0 && i > start && (code[i] is ';' or ',' || (code[i - 1] <= ' ' && EndsAt(code, i))))
                return Trimmed(code, start, i);
        }

        return Trimmed(code, start, code.Length);
    }

    private static bool EndsAt(string code, int index) => End().Match(code, index) is { Success: true } end && end.Index == index;

    private static int Trimmed(string code, int start, int end) => code[start..end].TrimEnd().Length;

    private static string LineAround(string code, int index)
    {
        var start = code.LastIndexOf('\n', index) + 1;
        var end = code.IndexOf('\n', index);
        return code[start..(end < 0 ? code.Length : end)];
    }

    private static string Moved(string comparison) =>
        comparison switch
        {
            " < " => " <= ",
            " <= " => " < ",
            " > " => " >= ",
            _ => " > ",
        };

    private static string Turned(string comparison) => comparison.Contains('<', Ordinal) ? " > " : " < ";

    /// <summary>Lines marked --filter are part of a statement.</summary>
    [GeneratedRegex("--(?!filter).*|--filter")]
    private static partial Regex Comment();

    [GeneratedRegex(@"(?<=\s)(?:and|where|(?<!conflict |distinct )on(?! conflict))\s+(?!\()")]
    private static partial Regex Condition();

    [GeneratedRegex(Ends)]
    private static partial Regex End();

    [GeneratedRegex(
        @" skip locked|\bfor update(?: of \w)?(?: skip locked)?|\border by [\w.]+(?:, [\w.]+)*(?: desc)?|"
            + @"(?<=order by [\w.]+) desc|\blimit \$?\d+|\bdistinct (?!on)|\bon conflict[^\n]* do nothing"
    )]
    private static partial Regex Left();

    [GeneratedRegex(@" [+-] ")]
    private static partial Regex Added();

    [GeneratedRegex(@" (?:<=|>=|<|>) ")]
    private static partial Regex Comparison();

    [GeneratedRegex("_at|timestamp|bounds|interval")]
    private static partial Regex Time();
}

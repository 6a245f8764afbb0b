namespace Serdica.Perf.Results;

/// <summary>Finds what somebody meant who has misspelt a name.</summary>
internal static class ClosestName
{
    /// <summary>A name that differs in more than this share of its letters is another name.</summary>
    private const double TolerableShare = 0.4;

    /// <returns>A question to append to a sentence, with a blank before it; empty when no name is close.</returns>
    public static string Question(string typed, IEnumerable<string> names) =>
        Find(typed, names) is { } name ? $" Did you mean '{name}'?" : "";

    /// <returns>The closest name, or one of those that contain what was typed; null when none is close.</returns>
    /// <inheritdoc cref="Question"/>
    public static string? Find(string typed, IEnumerable<string> names)
    {
        var candidates = names
            .Select(name => (Name: name, Distance: Distance(typed.ToLowerInvariant(), name.ToLowerInvariant())))
            .OrderBy(candidate => candidate.Distance)
            .ToArray();
        return candidates
            .Where(candidate => candidate.Distance <= Math.Max(1, TolerableShare * Math.Min(typed.Length, candidate.Name.Length)))
            .Select(candidate => candidate.Name)
            .FirstOrDefault()
            ?? candidates
                .Select(candidate => candidate.Name)
                .FirstOrDefault(name => typed.Length > 2 && name.Contains(typed, OrdinalIgnoreCase));
    }

    /// <summary>Letters to insert, to remove, to replace or to swap with their neighbour (optimal string alignment).</summary>
    private static int Distance(string typed, string name)
    {
        var rows = new int[typed.Length + 1, name.Length + 1];
        for (var i = 0; i <= typed.Length; i++)
            rows[i, 0] = i;
        for (var j = 0; j <= name.Length; j++)
            rows[0, j] = j;
        for (var i = 1; i <= typed.Length; i++)
        {
            for (var j = 1; j <= name.Length; j++)
            {
                var replaced = rows[i - 1, j - 1] + (typed[i - 1] == name[j - 1] ? 0 : 1);
                rows[i, j] = Math.Min(replaced, 1 + Math.Min(rows[i - 1, j], rows[i, j - 1]));
                if (i > 1 && j > 1 && typed[i - 1] == name[j - 2] && typed[i - 2] == name[j - 1])
                    rows[i, j] = Math.Min(rows[i, j], 1 + rows[i - 2, j - 2]);
            }
        }

        return rows[typed.Length, name.Length];
    }
}

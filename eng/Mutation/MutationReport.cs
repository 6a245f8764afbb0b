namespace Serdica.Perf.Mutation;

/// <summary>What became of a target's mutants.</summary>
/// <param name="Excused">Survivors that have a reason: as they change no result, no test can fail, and the score leaves them out.</param>
internal sealed record MutationReport(string Target, IReadOnlyList<Mutant> Mutants, int All, int Excused)
{
    public int Killed => Mutants.Count(mutant => mutant.IsKilled);

    public double Score => Mutants.Count == Excused ? 0 : 100.0 * Killed / (Mutants.Count - Excused);

    public void Print(TextWriter console)
    {
        var sample = Mutants.Count < All ? $", a sample of {All}" : "";
        console.WriteLine($"{Target}: {Killed} of {Mutants.Count} killed, {Excused} survive for a reason, {Score:0.0} %{sample}");
    }

    public static void Write(string folder, IReadOnlyList<MutationReport> reports)
    {
        var json = new JsonSerializerOptions { WriteIndented = true };
        Directory.CreateDirectory(folder);
        foreach (var report in reports)
            File.WriteAllText(Path.Combine(folder, $"{report.Target}.json"), JsonSerializer.Serialize(report.Mutants, json));
        File.WriteAllLines(
            Path.Combine(folder, "survivors.md"),
            from report in reports
            from mutant in report.Mutants
            where !mutant.IsKilled
            select $"| {report.Target} | {mutant.Key} | {mutant.Fate} |"
        );
    }
}

/// <summary>Survivors that have a reason, as the page says.</summary>
internal sealed class Survivors
{
    private readonly Dictionary<string, string> _reasons = [];

    /// <summary>Rows of a table whose first cell is a target, the second a mutant, the third the reason.</summary>
    public static Survivors Read(string page)
    {
        var survivors = new Survivors();
        foreach (var line in File.Exists(page) ? File.ReadLines(page) : [])
        {
            if (line.Split(" | ") is [_, var mutant, .. var reason] && reason.Length > 0)
            {
                // A bar within a cell is escaped.
                var key = mutant.Trim().Replace(@"\|", "|", Ordinal);
                survivors._reasons[key] = string.Join(" | ", reason).TrimEnd(' ', '|');
            }
        }

        return survivors;
    }

    public bool Excuse(Mutant mutant) => !mutant.IsKilled && _reasons.ContainsKey(mutant.Key);

    /// <summary>What became of a mutant, with the reason if it has one.</summary>
    public string Describe(Mutant mutant)
    {
        var known = _reasons.TryGetValue(mutant.Key, out var reason) ? $" (known: {reason})" : "";
        return $"{mutant.Fate} {mutant.Place} {mutant.What}{known}";
    }
}

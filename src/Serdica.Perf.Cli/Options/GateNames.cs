using System.IO.Enumeration;

namespace Serdica.Perf.Cli.Options;

/// <summary>Refuses a gate that names a scenario which does not exist: such a limit would hold nothing, and nobody would notice.</summary>
internal static class GateNames
{
    /// <summary>A server that is not MongoDB and speaks its protocol is measured under a name of its own.</summary>
    private static readonly string[] Backends = [.. BackendNames.All, $"{BackendNames.MongoDb}-compatible"];

    /// <param name="measured">Names of scenarios that were or will be measured, starting with the backend; those of the catalogue are
    /// known anyway, because one gate may serve several runs.</param>
    /// <exception cref="GateException">A name or pattern matches no scenario.</exception>
    public static GateSettings Check(GateSettings gate, string file, IEnumerable<string> measured)
    {
        string[] known =
        [
            .. Backends.SelectMany(backend => ScenarioCatalog.All.Select(scenario => $"{backend}-{scenario.Name}")),
            .. measured,
        ];
        var patterns = gate
            .Relative.Select(limit => limit.Scenario)
            .Concat(gate.Objectives.Select(objective => objective.Scenario))
            .Concat(gate.Quarantine.Select(quarantine => quarantine.Scenario));
        return patterns.FirstOrDefault(pattern => !Array.Exists(known, name => Matches(pattern, name))) is { } unknown
            ? throw new GateException(
                $"The gate '{file}' cannot be used: no scenario has the name {unknown}. Names start with the backend; "
                    + $"'serdica-perf list' has them, and * matches any text.{ClosestName.Question(unknown, Suggestions(unknown, known))}"
            )
            : gate;
    }

    /// <summary>For a pattern the backends with what follows them; else whole names.</summary>
    private static IEnumerable<string> Suggestions(string pattern, IEnumerable<string> known) =>
        pattern.EndsWith('*') ? Backends.Select(backend => $"{backend}-*").Concat(known) : known;

    private static bool Matches(string pattern, string name) => FileSystemName.MatchesSimpleExpression(pattern, name, ignoreCase: false);
}

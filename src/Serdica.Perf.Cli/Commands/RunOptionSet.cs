using System.CommandLine;
using System.Globalization;
using Serdica.Perf.Cli.Composition;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;

namespace Serdica.Perf.Cli.Commands;

/// <summary>The options of `run`, and how they become a <see cref="RunRequest"/>.</summary>
internal sealed class RunOptionSet
{
    private const int MaxOperations = 100_000_000;
    private const int MaxConcurrency = 100_000;
    private const int MaxWorkers = 1_000;
    private const int MaxRepeats = 1_000;

    private readonly Option<string[]> _backends = Names("--backend", "NAME", $"Backends to measure: {string.Join(", ", BackendNames.All)}; several by comma or by repeating. Default {BackendNames.PostgreSql}.");
    private readonly Option<string[]> _tiers = Names("--tier", "TIER", $"Scenarios of a tier: {string.Join(", ", ScenarioNames.TierNames)}. Default smoke, unless a scenario is named.");
    private readonly Option<string[]> _scenarios = Names("--scenario", "NAME", "A scenario, with or without its backend in front; see 'serdica-perf list'.");
    private readonly Option<int?> _operations = Number("--operations", "Operations of the measured window.", 1, MaxOperations);
    private readonly Option<int?> _concurrency = Number("--concurrency", "Callers.", 1, MaxConcurrency);
    private readonly Option<int?> _workers = Number("--workers", "Signal workers.", 1, MaxWorkers);
    private readonly Option<int?> _warmUp = Number("--warmup", "Operations of the warm-up, for 5 s at most. Default 200, twice the callers or as many as are measured, whichever is most.", 0, MaxOperations);
    private readonly Option<int?> _repeat = Number("--repeat", "How often each scenario is measured. Default 1.", 1, MaxRepeats);
    private readonly Option<LoadModel?> _load = Word<LoadModel>("--load", "wave: callers don't wait for completions; closed: each waits for its own; serial: one at a time.");
    private readonly Option<DatabaseSourceKind?> _source = Word<DatabaseSourceKind>("--source", "Where databases come from. Default: the first of these that there is.");
    private readonly Option<string?> _output = new("--output") { HelpName = "DIR", Description = "Where the run folder is made. Default TestResults/workflow-performance." };
    private readonly Option<bool> _noStatistics = new("--no-statistics") { Description = "Collect neither the statistics of the server nor samples, to see what they cost." };
    private readonly Option<bool> _json = new("--json") { Description = "Print only the summary as JSON on the output; progress goes to the error output." };

    public void AddTo(Command command)
    {
        foreach (var option in (Option[])[_backends, _tiers, _scenarios, _operations, _concurrency, _workers, _load, _warmUp, _repeat, _source, _output, _noStatistics, _json])
            command.Options.Add(option);
    }

    /// <exception cref="UsageException">A name is not known.</exception>
    public RunRequest Read(ParseResult parsed)
    {
        var backends = Split(parsed.GetValue(_backends));
        var tiers = Split(parsed.GetValue(_tiers));
        var scenarios = Split(parsed.GetValue(_scenarios));
        return new()
        {
            Plan = RunRequest.MakePlan(backends, tiers, scenarios),
            BackendsNamed = backends.Count > 0 || scenarios.Any(name => ScenarioNames.Parse(name).Backend is not null),
            Tier = (tiers, scenarios) switch
            {
                ([], []) => Tiers.ShortName(Tiers.Smoke),
                ([], _) => "scenario",
                _ => string.Join('+', tiers.Select(Tiers.ShortName)),
            },
            Options = new()
            {
                Operations = parsed.GetValue(_operations),
                Concurrency = parsed.GetValue(_concurrency),
                Workers = parsed.GetValue(_workers),
                WarmUp = parsed.GetValue(_warmUp),
                Load = parsed.GetValue(_load),
                Statistics = !parsed.GetValue(_noStatistics),
            },
            Repeat = parsed.GetValue(_repeat) ?? 1,
            Output = parsed.GetValue(_output),
            Source = parsed.GetValue(_source),
            Json = parsed.GetValue(_json),
        };
    }

    private static List<string> Split(string[]? values) =>
    [
        .. (values ?? [])
            .SelectMany(value => value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
            .Distinct(),
    ];

    private static Option<string[]> Names(string name, string helpName, string description) => new(name)
    {
        HelpName = helpName,
        Description = description,
        Arity = ArgumentArity.OneOrMore,
    };

    private static Option<int?> Number(string name, string description, int least, int most) => new(name)
    {
        HelpName = "N",
        Description = description,
        CustomParser = result =>
        {
            var text = result.Tokens[0].Value;
            if (int.TryParse(text, NumberStyles.AllowThousands | NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
                && number >= least && number <= most)
                return number;
            result.AddError(string.Create(
                CultureInfo.InvariantCulture, $"{name} is '{text}'; it must be a whole number from {least} to {most:N0}."));
            return null;
        },
    };

    private static Option<T?> Word<T>(string name, string description)
        where T : struct, Enum
    {
        var words = Enum.GetNames<T>().Select(word => word.ToLowerInvariant()).ToArray();
        return new(name)
        {
            HelpName = string.Join('|', words),
            Description = description,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;
                if (words.Contains(text.ToLowerInvariant()))
                    return Enum.Parse<T>(text, ignoreCase: true);
                result.AddError($"{name} is '{text}'; it must be one of {string.Join(", ", words)}.");
                return null;
            },
        };
    }
}

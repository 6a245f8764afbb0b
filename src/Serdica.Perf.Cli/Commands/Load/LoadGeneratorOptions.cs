namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>How many processes generate the load, and which of them this one is.</summary>
internal sealed class LoadGeneratorOptions
{
    private const int MaxGenerators = 64;

    private readonly Option<int?> _generators;
    private readonly Option<int?> _generator;
    private readonly Option<int?> _ofGenerators;

    public LoadGeneratorOptions(Command command)
    {
        _generators = command.Number(
            "--generators",
            "Processes that generate the load, each with its own store. Default 1.",
            1,
            MaxGenerators
        );
        _generator = command.Number("--generator", "Set by --generators for its processes.", 1, MaxGenerators);
        _ofGenerators = command.Number("--of-generators", "Set by --generators for its processes.", 1, MaxGenerators);
        _generator.Hidden = _ofGenerators.Hidden = true;
    }

    /// <summary>What the processes do not get.</summary>
    public Option OfTheWhole => _generators;

    /// <summary>Processes that generate load.</summary>
    public int Count(TypedValues typed) => typed.Number(_generators) ?? 1;

    /// <summary>Which of how many this process is, from 1; null when it is none of several.</summary>
    public (int Number, int Count)? This(TypedValues typed) =>
        typed.Number(_generator) is { } number ? (number, typed.Number(_ofGenerators) ?? 1) : null;

    /// <summary>
    /// Each generator gets at least one of whatever is shared: with fewer than generators, the total would exceed the
    /// request.
    /// </summary>
    /// <exception cref="LoadProfileException">Something cannot be shared.</exception>
    public void Check(LoadProfile profile, TypedValues typed)
    {
        var generators = Count(typed);
        if (generators == 1)
            return;
        foreach (var (number, words) in profile.Steps.SelectMany(Shared).Prepend((profile.Slots, $"{profile.Slots} slots")))
        {
            if (number < generators)
                throw typed.Error($"{generators} generators cannot share {words}; give {generators} or more, or fewer generators");
        }
    }

    private static IEnumerable<(int? Number, string Words)> Shared(LoadStep step)
    {
        yield return step.Kind switch
        {
            LoadKind.BurnDown => (step.Backlog, $"a backlog of {step.Backlog}"),
            LoadKind.Closed => (step.MinUsers, $"{step.MinUsers} callers"),
            _ => (step.MaxUsers, $"{step.MaxUsers} callers"),
        };
        yield return (step.Operations, $"{step.Operations} operations");
    }
}

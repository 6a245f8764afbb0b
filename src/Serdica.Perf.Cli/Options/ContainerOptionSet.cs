namespace Serdica.Perf.Cli.Options;

/// <summary>The options of `run` for databases in containers, and for the processors of a local one.</summary>
internal sealed class ContainerOptionSet(Command command)
{
    private const double MostCpus = 1024;
    private const long LeastMemory = 64L << 20;

    private readonly Option<IReadOnlyList<double>?> _cpus = command.Declare(
        OptionDeclarations.Read<IReadOnlyList<double>?>(
            "--db-cpus",
            "N[,N...]",
            "Processors that the database may use: 1.5, for instance, for a container, or a whole number with --source local. "
                + "Several sizes, comma-separated, are measured one after another, each in its own run folder; "
                + "server-sizes.md compares them. Default no limit.",
            Sizes,
            text =>
                $"--db-cpus is '{text}'; it must be a number from 0.01 to {MostCpus:0}, for instance 1.5, "
                + "or several comma-separated, each higher than the one before."
        )
    );

    private readonly Option<long?> _memory = command.Declare(
        OptionDeclarations.Read(
            "--db-memory",
            "SIZE",
            "Memory that the database's container may use, without swap: a whole number with m or g, for instance 512m or 4g. "
                + "Default no limit.",
            Bytes,
            text => $"--db-memory is '{text}'; it must be a whole number with m or g, 64m or more: for instance 512m or 4g."
        )
    );

    private readonly Option<bool> _inMemory = command.Switch(
        "--db-in-memory",
        "Keeps the data of the database's container in memory. Nothing is durable there, and the results say so."
    );

    private readonly Option<bool> _keep = command.Switch(
        "--keep-database",
        "Leaves the database's container running. The next run with the same options uses it again."
    );

    private IReadOnlyList<Option> All => [_cpus, _memory, _inMemory, _keep];

    /// <summary>Sizes of the server, rising; empty for one limit or none.</summary>
    public IReadOnlyList<double> Sizes(ParseResult parsed) => parsed.GetValue(_cpus) is { Count: > 1 } sizes ? sizes : [];

    public ContainerOptions Read(ParseResult parsed) =>
        new()
        {
            Cpus = parsed.GetValue(_cpus)?[0],
            MemoryBytes = parsed.GetValue(_memory),
            DataInMemory = parsed.GetValue(_inMemory),
            Keep = parsed.GetValue(_keep),
        };

    /// <summary>
    /// The source that the options need. All but the processors are for containers only, and none may be ignored in
    /// silence.
    /// </summary>
    /// <exception cref="UsageException">Another source was named, or no backend has a database.</exception>
    public DatabaseSourceKind? SourceOf(ParseResult parsed, DatabaseSourceKind? named, RunPlan plan)
    {
        bool IsTyped(Option option) => parsed.GetResult(option) is { Implicit: false };
        bool Needs(Option option) => IsTyped(option) && (option != _cpus || named is not DatabaseSourceKind.Local);

        if (All.FirstOrDefault(IsTyped) is { } typed && plan.Backends.All(planned => planned.Backend == BackendNames.InMemory))
            throw new UsageException($"{typed.Name} is for databases, and 'in-memory' has none; leave it out, or name another backend.");
        if (All.FirstOrDefault(Needs) is not { } given)
            return named;
        if (named is { } source and not DatabaseSourceKind.Containers)
        {
            throw new UsageException(
                $"{given.Name} is for databases in containers{(given == _cpus ? " and local ones" : "")}, "
                    + $"and --source is {source.ToString().ToLowerInvariant()}; leave one of them out."
            );
        }

        return DatabaseSourceKind.Containers;
    }

    /// <summary>Rising numbers of processors; null when the text is something else.</summary>
    internal static double[]? Sizes(string text)
    {
        var sizes = new List<double>();
        foreach (var part in text.Split(','))
        {
            if (
                !double.TryParse(part, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var cpus)
                || cpus is < 0.01 or > MostCpus
                || (sizes is [.., var before] && cpus <= before)
            )
                return null;
            sizes.Add(cpus);
        }

        return [.. sizes];
    }

    /// <summary>A whole number with m or g; null when the text is something else, or too little for a server.</summary>
    internal static long? Bytes(string text)
    {
        if (
            text.Length < 2
            || !int.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        )
            return null;

        long? bytes = char.ToLowerInvariant(text[^1]) switch
        {
            'm' => (long)number << 20,
            'g' => (long)number << 30,
            _ => null,
        };
        return bytes >= LeastMemory ? bytes : null;
    }
}

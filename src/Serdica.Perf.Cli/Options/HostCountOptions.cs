namespace Serdica.Perf.Cli.Options;

/// <summary>How many processes host the work of one measurement, and which of them this one is.</summary>
internal class HostCountOptions
{
    private readonly Option<int?> _hosts;
    private readonly HostProcessOptions _process;

    /// <param name="description">What the processes do, and what is the default.</param>
    public HostCountOptions(Command command, string description)
    {
        _hosts = command.Number(HostProcessOptions.Hosts, description, 1, HostProcessOptions.Most);
        _process = new(command);
    }

    /// <summary>What the processes do not get.</summary>
    public Option OfTheWhole => _hosts;

    /// <summary>The number of host processes; 0 when the measuring process does their work.</summary>
    public int Count(TypedValues typed) => typed.Number(_hosts) ?? 0;

    /// <summary>The host that this process is; null when it is none.</summary>
    public HostProcessPart? This(ParseResult parsed) => _process.Read(parsed);

    /// <summary>The number of host processes, where there can be some.</summary>
    /// <exception cref="LoadProfileException">They would have no common store, or are asked for what they cannot do.</exception>
    public int Checked(string backend, IReadOnlyDictionary<string, string> engine, TypedValues typed)
    {
        var hosts = Count(typed);
        return hosts > 0 && HostProcessOptions.Refusal(backend, engine) is { } refusal ? throw typed.Error(refusal) : hosts;
    }
}

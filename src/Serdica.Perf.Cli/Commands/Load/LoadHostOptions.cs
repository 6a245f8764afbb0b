namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>How many processes host the workflows, and which of them this one is.</summary>
internal sealed class LoadHostOptions
{
    private readonly Option<int?> _hosts;
    private readonly HostProcessOptions _process;

    public LoadHostOptions(Command command)
    {
        _hosts = command.Number(
            HostProcessOptions.Hosts,
            "Processes that run the workflows, all on the same store, like several 'serdica-perf worker'. The generator then has no "
                + "host. Default: a host in each generator.",
            1,
            HostProcessOptions.Most
        );
        _process = new(command);
    }

    /// <summary>What the processes do not get.</summary>
    public Option OfTheWhole => _hosts;

    /// <summary>The number of host processes; 0 for a host in each generator.</summary>
    public int Count(TypedValues typed) => typed.Number(_hosts) ?? 0;

    /// <summary>The host that this process is; null when it is none.</summary>
    public HostProcessPart? This(ParseResult parsed) => _process.Read(parsed);

    /// <exception cref="LoadProfileException">The hosts would have no common store, or could not share what is limited.</exception>
    public void Check(LoadProfile profile, string backend, int generators, TypedValues typed)
    {
        var hosts = Count(typed);
        if (hosts == 0)
            return;
        if (HostProcessOptions.Refusal(backend, profile.Engine) is { } refusal)
            throw typed.Error(refusal);
        if (generators > 1)
        {
            throw typed.Error(
                $"Each of several generators has its own store, which hosts cannot share; leave --generators or {_hosts.Name} out"
            );
        }

        if (profile.Slots < hosts)
            throw typed.Error($"{hosts} hosts cannot share {profile.Slots} slots; give {hosts} or more, or fewer hosts");
    }
}

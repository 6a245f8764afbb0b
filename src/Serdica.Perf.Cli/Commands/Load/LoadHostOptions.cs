using System.CommandLine;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>How many processes host the workflows, and which of them this one is.</summary>
internal sealed class LoadHostOptions
{
    public const string Host = "--host";
    public const string OfHosts = "--of-hosts";
    public const string HostStore = "--host-store";

    private const int MaxHosts = 64;

    private readonly Option<int?> _hosts;
    private readonly Option<int?> _host;
    private readonly Option<int?> _ofHosts;
    private readonly Option<string?> _store;

    public LoadHostOptions(Command command)
    {
        _hosts = command.Number(
            "--hosts",
            "Processes that run the workflows, all on the same store, like several 'serdica-perf worker'. The generator then has no "
                + "host. Default: a host in each generator.",
            1,
            MaxHosts
        );
        _host = command.Number(Host, "Set by --hosts for its processes.", 1, MaxHosts);
        _ofHosts = command.Number(OfHosts, "Set by --hosts for its processes.", 1, MaxHosts);
        _store = command.Text(HostStore, "NAME", "Set by --hosts for its processes.");
        _host.Hidden = _ofHosts.Hidden = _store.Hidden = true;
    }

    /// <summary>What the processes do not get.</summary>
    public Option OfTheWhole => _hosts;

    /// <summary>The number of host processes; 0 for a host in each generator.</summary>
    public int Count(TypedValues typed) => typed.Number(_hosts) ?? 0;

    /// <summary>The host that this process is; null when it is none.</summary>
    public HostOfLoad? This(TypedValues typed) =>
        typed.Number(_host) is { } number ? new(number, typed.Number(_ofHosts) ?? 1, typed.Text(_store)) : null;

    /// <exception cref="LoadProfileException">The hosts would have no common store, or could not share what is limited.</exception>
    public void Check(LoadProfile profile, string backend, int generators, TypedValues typed)
    {
        var hosts = Count(typed);
        if (hosts == 0)
            return;
        if (!ApplicationStore.Backends.Contains(backend))
        {
            throw typed.Error(
                $"The store of '{backend}' is in the memory of one process, so no other process can run its workflows; with {_hosts.Name} "
                    + $"choose {string.Join(", ", ApplicationStore.Backends)}"
            );
        }

        if (profile.Engine.GetValueOrDefault(ScenarioParameters.DirectSetting) == "on")
        {
            throw typed.Error(
                $"Signals are decided directly only in a process with a host, and with {_hosts.Name} the generator has none; leave "
                    + $"'{ScenarioParameters.DirectSetting}=on' or {_hosts.Name} out"
            );
        }

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

/// <summary>One of several hosts of a load test.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Count">The number of hosts.</param>
/// <param name="Store">Schema, database or prefix.</param>
internal sealed record HostOfLoad(int Number, int Count, string? Store);

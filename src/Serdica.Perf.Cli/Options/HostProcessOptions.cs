namespace Serdica.Perf.Cli.Options;

/// <summary>
/// What the process that measures passes to a process that hosts its workflows, and what such hosts cannot do. The options are hidden,
/// since no user sets them.
/// </summary>
internal sealed class HostProcessOptions
{
    public const string Hosts = "--hosts";
    public const string Number = "--host";
    public const string OfHosts = "--of-hosts";
    public const string Store = "--host-store";

    /// <summary>Between names of stores, which the suite makes.</summary>
    public const char Separator = ',';

    /// <summary>The largest number of hosts, all of which are on one machine.</summary>
    public const int Most = 64;

    private readonly Option<int?> _number;
    private readonly Option<int?> _ofHosts;
    private readonly Option<string?> _store;

    public HostProcessOptions(Command command)
    {
        _number = command.Number(Number, $"Set by {Hosts} for its processes.", 1, Most);
        _ofHosts = command.Number(OfHosts, $"Set by {Hosts} for its processes.", 1, Most);
        _store = command.Text(Store, "NAME", $"Set by {Hosts} for its processes.");
        _number.Hidden = _ofHosts.Hidden = _store.Hidden = true;
    }

    /// <summary>The host that this process is; null when it is none.</summary>
    public HostProcessPart? Read(ParseResult parsed) =>
        parsed.GetValue(_number) is { } number
            ? new(number, parsed.GetValue(_ofHosts) ?? 1, parsed.GetValue(_store)?.Split(Separator) ?? [])
            : null;

    /// <summary>Why host processes cannot serve a measurement, without a full stop; null when nothing speaks against it.</summary>
    public static string? Refusal(string backend, IReadOnlyDictionary<string, string> engine)
    {
        if (!ApplicationStore.Backends.Contains(backend))
        {
            return $"The store of '{backend}' is in the memory of one process, so no other process can work on it; with {Hosts} "
                + $"choose {string.Join(", ", ApplicationStore.Backends)}";
        }

        return engine.GetValueOrDefault(ScenarioParameters.DirectSetting) == "on"
            ? $"Signals are decided directly only in a process with a host, and with {Hosts} the generator has none; leave "
                + $"'{ScenarioParameters.DirectSetting}=on' or {Hosts} out"
            : null;
    }
}

/// <summary>One of several host processes.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Stores">Schemas, databases or prefixes.</param>
internal sealed record HostProcessPart(int Number, int Count, IReadOnlyList<string> Stores);

namespace Serdica.Perf.Cli.Options;

/// <summary>How many processes host the workflows of a `run`, and which of them this one is.</summary>
internal sealed class RunHostOptions
{
    /// <summary>The scenario that a host process hosts, with its backend in front.</summary>
    public const string Scenario = "--host-scenario";

    private readonly Option<IReadOnlyList<int>?> _hosts;
    private readonly HostProcessOptions _process;
    private readonly Option<string?> _scenario;

    public RunHostOptions(Command command)
    {
        _hosts = command.Declare(
            OptionDeclarations.Read(
                HostProcessOptions.Hosts,
                "N[,N...]",
                "Processes that host the workflows, all on the same store, like several 'serdica-perf worker'. The measuring process "
                    + "then has no host of its own. Several numbers, comma-separated, are measured one after another, each in a run folder "
                    + "of its own; hosts.md compares them. Default: a host in the measuring process.",
                text => RisingNumbers.Parse(text, HostProcessOptions.Most),
                text =>
                    Invariant($"{HostProcessOptions.Hosts} is '{text}'; it must be a whole number from 1 to {HostProcessOptions.Most}, ")
                    + "or several comma-separated, each higher than the one before: for instance 1,2,4,8."
            )
        );
        _process = new(command);
        _scenario = command.Text(Scenario, "NAME", $"Set by {HostProcessOptions.Hosts} for its processes.");
        _scenario.Hidden = true;
    }

    /// <summary>Numbers of host processes, rising; empty for a host in the measuring process.</summary>
    public IReadOnlyList<int> Counts(ParseResult parsed) => parsed.GetValue(_hosts) ?? [];

    /// <summary>The host that this process is; null when it is none.</summary>
    public HostOfRun? This(ParseResult parsed) =>
        _process.Read(parsed) is { } part && parsed.GetValue(_scenario) is { } scenario ? new(part, scenario) : null;

    /// <exception cref="UsageException">Host processes cannot serve one of the scenarios on its backend.</exception>
    public void Check(ParseResult parsed, RunPlan plan, RunOptions options)
    {
        if (Counts(parsed).Count == 0)
            return;
        foreach (var (backend, scenarios) in plan.Backends)
        {
            foreach (var scenario in scenarios)
            {
                if (HostProcessOptions.Refusal(backend, options.Apply(scenario, repeat: 1).Engine) is { } refusal)
                    throw new UsageException($"{refusal}.");
            }
        }
    }
}

/// <summary>One of several host processes of a `run`.</summary>
/// <param name="Scenario">What it hosts: the scenario with its backend in front.</param>
internal sealed record HostOfRun(HostProcessPart Part, string Scenario);

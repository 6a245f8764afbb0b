namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>What works off the load: workers, slots and the settings of the engine.</summary>
internal sealed class LoadEngineOptions(Command command)
{
    private readonly Option<string?> _workers = command.Text("--workers", "N", "Signal workers of each host. Default 2.");
    private readonly Option<string?> _workerDelay = command.Text(
        "--worker-delay",
        "TIME",
        "Starts the workers this long after the load, so that a backlog forms.",
        "-p"
    );
    private readonly Option<string?> _slots = command.Text(
        "--slots",
        "N",
        "The maximum number of activities that run at the same time, in all generators or hosts. Default: no maximum; "
            + "for --workflow NAME the engine's default, or the scenario's own number.",
        "-s"
    );
    private readonly Option<string[]> _engine = EngineOption.Declare(command);

    public LoadProfile Apply(LoadProfile profile, TypedValues typed) =>
        profile with
        {
            Workers = typed.Count(_workers) ?? profile.Workers,
            WorkerDelay = typed.Duration(_workerDelay) ?? profile.WorkerDelay,
            Slots = typed.Count(_slots) ?? profile.Slots,
            Engine = EngineSettings.Merged(profile.Engine, typed.Engine(_engine)),
        };

    /// <exception cref="LoadProfileException">There would be no worker, or no slot.</exception>
    public void Check(LoadProfile profile, TypedValues typed)
    {
        if (profile.Workers < 1 || profile.Slots < 1)
            throw typed.Error($"{_workers.Name} and {_slots.Name} must be 1 or more");
    }
}

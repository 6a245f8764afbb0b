namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>The processes that host the workflows of a load test.</summary>
internal sealed class LoadHostOptions(Command command)
    : HostCountOptions(
        command,
        "Processes that run the workflows, all on the same store, like several 'serdica-perf worker'. The generator then has no "
            + "host. Default: a host in each generator."
    )
{
    /// <exception cref="LoadProfileException">The hosts would have no common store, or could not share what is limited.</exception>
    public void Check(LoadProfile profile, string backend, int generators, TypedValues typed)
    {
        var hosts = Checked(backend, profile.Engine, typed);
        if (hosts == 0)
            return;
        if (generators > 1)
        {
            throw typed.Error(
                $"Each of several generators has its own store, which hosts cannot share; leave --generators or {OfTheWhole.Name} out"
            );
        }

        if (profile.Slots < hosts)
            throw typed.Error($"{hosts} hosts cannot share {profile.Slots} slots; give {hosts} or more, or fewer hosts");
    }
}

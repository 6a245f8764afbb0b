namespace Serdica.Perf.Reports.Summary;

/// <summary>What each process used, where processes of their own hosted the workflows; steps of a load test have it in load.md.</summary>
internal static class HostsSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        HostsTable.Write(
            writer,
            "Scenario",
            view.Typical.Where(scenario => scenario.Tier != Tiers.Load)
                .SelectMany(scenario => ReportProcess.Of(view.Name(scenario), scenario.Processes?.Hosts ?? [], scenario)),
            "Hosts and generator together are *engine* in the other tables. How long signals waited for a worker is known in the processes "
                + "of the hosts only."
        );
    }
}

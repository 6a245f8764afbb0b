using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>Counts the reports of a host that wait for their next try, by what the engine logs about them.</summary>
internal sealed class PausedReports(TimeProvider clock) : LogList<WorkflowHost>
{
    private readonly ConcurrentBag<DateTimeOffset> _ends = [];

    public int Count => _ends.Count(end => end > clock.GetUtcNow());

    protected override void Logged(EventId id, Func<string, object> valueOf)
    {
        if (id.Id == WorkflowEvents.ReportDelayed)
            _ends.Add(clock.GetUtcNow() + FromMilliseconds((double)valueOf("DelayMs")));
    }
}

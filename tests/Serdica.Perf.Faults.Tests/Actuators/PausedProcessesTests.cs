using System.Diagnostics;
using Serdica.Perf.Faults.Actuators;

namespace Serdica.Perf.Faults.Tests.Actuators;

public sealed class PausedProcessesTests
{
    [Fact]
    public async Task Process_is_stopped_until_the_pause_ends()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux shows the state of a process in /proc.");
        using var process = Process.Start("sleep", ["60"]);

        await using (var paused = await PausedProcesses.PauseAsync([process.Id], TestContext.Current.CancellationToken))
            Assert.Equal((true, 1), (ProcessTree.IsStopped(process.Id), paused.Stopped));

        Assert.Equal((false, true), (ProcessTree.IsStopped(process.Id), ProcessTree.IsAlive(process.Id)));
        await Signals.SendAsync(Signals.Kill, [process.Id], TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.False(ProcessTree.IsAlive(process.Id));
    }
}

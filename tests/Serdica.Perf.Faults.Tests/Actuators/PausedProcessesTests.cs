namespace Serdica.Perf.Faults.Tests.Actuators;

public sealed class PausedProcessesTests
{
    [Fact]
    public async Task Process_is_stopped_until_the_pause_ends()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux shows the state of a process in /proc.");
        using var process = Process.Start("sleep", ["60"]);

        await using (var paused = await PausedProcesses.PauseAsync([process.Id], Token))
            Assert.Equal((true, 1), (ProcessTree.IsStopped(process.Id), paused.Stopped));

        Assert.Equal((false, true), (ProcessTree.IsStopped(process.Id), ProcessTree.IsAlive(process.Id)));
        await Signals.SendAsync(Signals.Kill, [process.Id], Token);
        await process.WaitForExitAsync(Token);
        Assert.False(ProcessTree.IsAlive(process.Id));
    }

    /// <summary>Ctrl-C and the end of a terminal reach all of its processes, also the shell that is to resume the others.</summary>
    [Theory]
    [InlineData("HUP")]
    [InlineData("INT")]
    [InlineData(Signals.Terminate)]
    public async Task Process_is_resumed_though_the_shell_that_holds_it_was_signalled(string signal)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux shows the state of a process in /proc.");
        using var process = Process.Start("sleep", ["60"]);

        await using (await PausedProcesses.PauseAsync([process.Id], Token))
        {
            var shell = ProcessTree
                .WithChildren(Environment.ProcessId)
                .Single(child => CommandOf(child).EndsWith($"\0pause\0{process.Id}\0"));
            await Signals.SendAsync(signal, [shell], Token);
            Assert.True(ProcessTree.IsStopped(process.Id));
        }

        Assert.False(ProcessTree.IsStopped(process.Id));
        await Signals.SendAsync(Signals.Kill, [process.Id], Token);
    }

    /// <summary>Empty for a process that has ended.</summary>
    private static string CommandOf(int process)
    {
        try
        {
            return File.ReadAllText($"/proc/{process}/cmdline");
        }
        catch (IOException)
        {
            return "";
        }
    }
}

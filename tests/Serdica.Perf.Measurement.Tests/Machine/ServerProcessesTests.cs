namespace Serdica.Perf.Measurement.Tests.Machine;

public sealed class ServerProcessesTests : FolderTests
{
    [Fact]
    public void Processor_time_is_of_the_process_its_children_and_those_that_have_ended()
    {
        // Ended children: 1 s. The first process by the scheduler's nanoseconds, the child that has none of those by ticks.
        Process(100, parent: 1, user: 999, system: 999, endedUser: 60, endedSystem: 40, threads: 1, schedstat: "250000000 5 7");
        Process(101, parent: 100, user: 30, system: 20, endedUser: 0, endedSystem: 0, threads: 1);
        Process(102, parent: 7, user: 5_000, system: 0, endedUser: 0, endedSystem: 0, threads: 1);

        var usage = ServerProcesses.Read(Root.Path, 100)!;

        Assert.Equal(1_000 + 250 + 500, usage.Processor.TotalMilliseconds);
    }

    [Fact]
    public void A_process_of_several_threads_is_told_by_ticks_because_the_scheduler_tells_of_the_first_alone()
    {
        Process(100, parent: 1, user: 30, system: 20, endedUser: 0, endedSystem: 0, threads: 4, schedstat: "1000000 5 7");

        Assert.Equal(500, ServerProcesses.Read(Root.Path, 100)!.Processor.TotalMilliseconds);
    }

    [Fact]
    public void Memory_is_all_that_is_private_and_the_shared_part_once()
    {
        Process(100, parent: 1, anonymous: 1_000, shared: 500);
        Process(101, parent: 100, anonymous: 2_000, shared: 8_000);
        Process(102, parent: 100, anonymous: 4_000, shared: 6_000);

        Assert.Equal((1_000 + 2_000 + 4_000 + 8_000) * 1024, ServerProcesses.Read(Root.Path, 100)!.MemoryBytes);
    }

    [Fact]
    public void A_process_that_is_not_there_is_told_by_nobody()
    {
        Assert.Null(ServerProcesses.Read(Root.Path, 100));
    }

    [Fact]
    public void The_busy_part_leaves_out_idle_and_waiting_for_disks()
    {
        var before = Load("cpu  100 0 50 800 50 0 0 0 0 0");
        var after = Load("cpu  130 0 60 840 60 5 3 2 7 0");

        Assert.Equal(0.5, after.Since(before));
        Assert.Null(after.Since(after));
    }

    private ProcessorLoad Load(string line)
    {
        Root.Write("proc/stat", line + "\ncpu0 1 2 3 4\n");
        return ProcessorLoad.Read(Root.Path)!.Value;
    }

    private void Process(
        int id,
        int parent,
        int user = 0,
        int system = 0,
        int endedUser = 0,
        int endedSystem = 0,
        int threads = 1,
        string? schedstat = null,
        int anonymous = 0,
        int shared = 0
    )
    {
        var folder = Root.Below("proc", $"{id}");
        Directory.CreateDirectory(folder);
        File.WriteAllText(
            Path.Combine(folder, "stat"),
            $"{id} (a (strange) name) S {parent} 1 1 0 -1 4194304 1 2 3 4 {user} {system} {endedUser} {endedSystem} 20 0 {threads} 0 1 2"
        );
        File.WriteAllText(
            Path.Combine(folder, "status"),
            $"Name:\tx\nRssAnon:\t  {anonymous} kB\nRssFile:\t 77 kB\nRssShmem:\t {shared} kB\n"
        );
        if (schedstat is not null)
            File.WriteAllText(Path.Combine(folder, "schedstat"), schedstat);
    }
}

namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class WaitCategoriesTests
{
    [Theory]
    [InlineData("IO", "WALSync", nameof(WaitCategory.LogFlush))]
    [InlineData("IO", "WalSync", nameof(WaitCategory.LogFlush))]
    [InlineData("LWLock", "WALWrite", nameof(WaitCategory.LogFlush))]
    [InlineData("IPC", "SyncRep", nameof(WaitCategory.LogFlush))]
    [InlineData("Commit", "log file sync", nameof(WaitCategory.LogFlush))]
    [InlineData("Lock", "tuple", nameof(WaitCategory.Contention))]
    [InlineData("LWLock", "BufferContent", nameof(WaitCategory.Contention))]
    [InlineData("Concurrency", "library cache lock", nameof(WaitCategory.Contention))]
    [InlineData("Concurrency", "buffer busy waits", nameof(WaitCategory.Contention))]
    [InlineData("IO", "DataFileRead", nameof(WaitCategory.Storage))]
    [InlineData("CPU", "CPU", nameof(WaitCategory.Processor))]
    [InlineData("Scheduler", "resmgr:cpu quantum", nameof(WaitCategory.Processor))]
    [InlineData("Client", "ClientRead", nameof(WaitCategory.Idle))]
    [InlineData("Activity", "WalWriterMain", nameof(WaitCategory.Idle))]
    [InlineData("Idle", "rdbms ipc message", nameof(WaitCategory.Idle))]
    [InlineData("Concurrency", "latch: cache buffers chains", nameof(WaitCategory.Contention))]
    [InlineData("BufferPin", "BufferPin", nameof(WaitCategory.Contention))]
    [InlineData("User I/O", "db file sequential read", nameof(WaitCategory.Storage))]
    [InlineData("Timeout", "VacuumDelay", nameof(WaitCategory.Other))]
    public void A_wait_is_sorted_by_what_it_means(string waitClass, string name, string category) =>
        Assert.Equal(category, WaitCategories.Of(new(waitClass, name, 1, 1)).ToString());

    [Fact]
    public void The_top_wait_is_neither_running_nor_idle()
    {
        var scenario = SampleRun.Serial with
        {
            TopWaits = [new("Client", "ClientRead", 9, 1), new("CPU", "CPU", 8, 1), new("IO", "WALSync", 2, 1), new("Lock", "tuple", 3, 1)],
        };

        Assert.Equal("tuple", WaitCategories.Top(scenario)!.Name);
        Assert.Null(WaitCategories.Top(SampleRun.Serial with { TopWaits = [new ServerWait("CPU", "CPU", 8, 1)] }));
    }
}

using Serdica.Perf.Analysis.Limits;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class WaitCategoriesTests
{
    [Theory]
    [InlineData("IO", "WALSync", WaitCategory.LogFlush)]
    [InlineData("IO", "WalSync", WaitCategory.LogFlush)]
    [InlineData("LWLock", "WALWrite", WaitCategory.LogFlush)]
    [InlineData("IPC", "SyncRep", WaitCategory.LogFlush)]
    [InlineData("Commit", "log file sync", WaitCategory.LogFlush)]
    [InlineData("Lock", "tuple", WaitCategory.Contention)]
    [InlineData("LWLock", "BufferContent", WaitCategory.Contention)]
    [InlineData("Concurrency", "library cache lock", WaitCategory.Contention)]
    [InlineData("Concurrency", "buffer busy waits", WaitCategory.Contention)]
    [InlineData("IO", "DataFileRead", WaitCategory.Storage)]
    [InlineData("CPU", "CPU", WaitCategory.Processor)]
    [InlineData("Scheduler", "resmgr:cpu quantum", WaitCategory.Processor)]
    [InlineData("Client", "ClientRead", WaitCategory.Idle)]
    [InlineData("Timeout", "VacuumDelay", WaitCategory.Other)]
    public void A_wait_is_sorted_by_what_it_means(string waitClass, string name, WaitCategory category) =>
        Assert.Equal(category, WaitCategories.Of(new(waitClass, name, 1, 1)));

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

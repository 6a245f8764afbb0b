namespace Serdica.Perf.Measurement.Tests.Queues;

public sealed class QueueWorkloadTests
{
    [Theory]
    [InlineData(20, 3, new[] { 7, 7, 6 })]
    [InlineData(3, 3, new[] { 1, 1, 1 })]
    [InlineData(10, 1, new[] { 10 })]
    public void Readers_are_so_many_in_all_as_were_asked_for(int readers, int queues, int[] each) =>
        Assert.Equal(each, Range(0, queues).Select(queue => QueueWorkload.ReadersOf(queue, readers, queues)));

    [Fact]
    public async Task The_wait_for_room_is_in_the_time_to_the_reader()
    {
        IScenarioStore[] stores = [new TestStore(new InMemoryWorkflowBackend())];
        await using var workload = new QueueWorkload(
            stores,
            new() { MaxUnread = 1, Readers = 1, Writers = 2 },
            new Dictionary<string, string>()
        );
        var writes = (QueueWrites)workload.CreateOperations(OperationSet.Endless, warmUp: false);

        // Nobody reads yet, so the second message finds no room.
        await await writes.LaunchAsync(0, Token);
        var second = writes.LaunchAsync(1, Token).AsTask();
        Assert.Equal(1, writes.Waits);
        var waiting = Stopwatch.StartNew();
        while (waiting.ElapsedMilliseconds < 30)
            await Task.Yield();
        await workload.OpenAsync(Token);
        await await second;
        while (writes.Ledger.MessagesRead < 2)
            await Task.Delay(1, Token);

        Assert.True(writes.Ledger.EndToEnd.Snapshot().Summarize().MinMs >= 30, "A message counts from when it was wanted.");
        Assert.True(writes.Ledger.LastRead > 0);
    }

    [Fact]
    public async Task A_message_counts_from_its_intended_start_whatever_its_number_is()
    {
        IScenarioStore[] stores = [new TestStore(new InMemoryWorkflowBackend())];
        await using var workload = new QueueWorkload(stores, new() { Readers = 1, Writers = 1 }, new Dictionary<string, string>());
        await workload.OpenAsync(Token);
        var writes = (QueueWrites)workload.CreateOperations(OperationSet.Endless, warmUp: false);

        var due = Stopwatch.GetTimestamp() - (Stopwatch.Frequency / 20);
        await await writes.LaunchAsync(7, due, Token);
        while (writes.Ledger.MessagesRead < 1)
            await Task.Delay(1, Token);

        Assert.True(writes.Ledger.EndToEnd.Snapshot().Summarize().MinMs >= 50, "It was due 50 ms before the call.");
    }

    [Fact]
    public async Task Counters_are_those_of_all_queues()
    {
        const int Messages = 40;
        var plan = new QueuePlan { Queues = 2, Readers = 2, Writers = 2 };
        IScenarioStore[] stores = [new TestStore(new InMemoryWorkflowBackend()), new TestStore(new InMemoryWorkflowBackend())];
        await using var workload = new QueueWorkload(stores, plan, new Dictionary<string, string>());
        await workload.OpenAsync(Token);
        var writes = (QueueWrites)workload.CreateOperations(OperationSet.Endless, warmUp: false);

        for (var message = 0; message < Messages; message++)
            await await writes.LaunchAsync(message, Token);
        while (writes.Ledger.MessagesRead < Messages)
            await Task.Delay(1, Token);

        // Every second message went to either queue.
        Assert.Equal(Messages, workload.Counters.Signals);
    }
}

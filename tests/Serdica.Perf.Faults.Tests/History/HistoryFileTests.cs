namespace Serdica.Perf.Faults.Tests.History;

/// <summary>What one process writes, another reads, also when the first was killed.</summary>
public sealed class HistoryFileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private string File => HistoryFolder.FileOf(_folder.Path, "client-1");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task What_is_written_is_read_with_its_time_and_place()
    {
        var clock = new ManualTimeProvider();
        var started = clock.GetUtcNow();
        var instance = Guid.CreateVersion7();
        await using (var writer = new HistoryWriter(_folder.Path, "client-1", "client", clock))
        {
            clock.Advance(FromMilliseconds(3));
            writer.Write(
                new()
                {
                    Kind = HistoryKind.Invoke,
                    Operation = writer.NextOperation(),
                    Call = CallKind.Signal,
                    Client = "c1",
                    Instance = instance,
                    Key = "c1-7",
                    Name = "append",
                }
            );
            clock.Advance(FromMilliseconds(2));
            writer.Write(new() { Kind = HistoryKind.Ack, Operation = 1, Outcome = AckOutcome.Accepted });
        }

        var lines = Read(File, out var torn);

        Assert.False(torn);
        Assert.Equal([HistoryKind.Process, HistoryKind.Invoke, HistoryKind.Ack], lines.Select(line => line.Kind));
        Assert.Equal([0, 3_000, 5_000], lines.Select(line => line.At));
        Assert.Equal((started, "client"), (lines[0].Time, lines[0].Role));
        Assert.Equal((instance, "c1-7", 1), (lines[1].Instance, lines[1].Key, lines[1].Operation));
        Assert.Equal(AckOutcome.Accepted, lines[2].Outcome);
    }

    [Fact]
    public async Task Each_property_comes_back_as_it_was()
    {
        var record = Full();
        await using (var writer = new HistoryWriter(_folder.Path, "client-1", "client", new ManualTimeProvider()))
            writer.Write(record);

        var read = Read(File, out _)[1];

        Assert.Equal(record.Ledger!.Applied, read.Ledger!.Applied);
        Assert.Equal(record.Ledger.Results, read.Ledger.Results);
        Assert.Equal(record with { Ledger = null }, read with { Ledger = null });
        Assert.All(
            typeof(HistoryRecord).GetProperties().Where(property => property.Name != nameof(HistoryRecord.At)),
            property => Assert.NotNull(property.GetValue(record))
        );
    }

    [Fact]
    public async Task An_invocation_is_in_the_file_before_the_call_and_an_answer_at_the_end()
    {
        await using var writer = Writer();

        writer.Write(new() { Kind = HistoryKind.Invoke, Operation = 1 });
        var afterInvocation = Read(File, out _).Count;
        writer.Write(new() { Kind = HistoryKind.Ack, Operation = 1 });
        var afterAnswer = Read(File, out _).Count;
        await writer.DisposeAsync();

        Assert.Equal((2, 2, 3), (afterInvocation, afterAnswer, Read(File, out _).Count));
    }

    /// <summary>A process that is killed right after them must have said what it was about to do.</summary>
    [Theory]
    [InlineData(nameof(HistoryKind.Invoke))]
    [InlineData(nameof(HistoryKind.Turn))]
    [InlineData(nameof(HistoryKind.Started))]
    [InlineData(nameof(HistoryKind.TimerArmed))]
    [InlineData(nameof(HistoryKind.Effect))]
    [InlineData(nameof(HistoryKind.Fault))]
    public async Task What_is_about_to_be_done_is_in_the_file_at_once(string name)
    {
        var kind = Enum.Parse<HistoryKind>(name);
        await using var writer = Writer();

        writer.Write(new() { Kind = kind, Operation = 1 });
        var afterOne = Read(File, out _).Count;
        writer.WriteAll([new() { Kind = HistoryKind.Ack, Operation = 1 }, new() { Kind = kind, Operation = 2 }]);

        Assert.Equal((2, 4), (afterOne, Read(File, out _).Count));
    }

    [Fact]
    public async Task The_torn_last_line_of_a_killed_process_is_left_out_and_reported()
    {
        await using (var writer = Writer())
            writer.WriteAll([.. Range(1, 3).Select(op => new HistoryRecord { Kind = HistoryKind.Invoke, Operation = op })]);
        using (var file = new FileStream(File, FileMode.Open))
            file.SetLength(file.Length - 5);

        var lines = Read(File, out var torn);

        Assert.True(torn);
        Assert.Equal([0, 1, 2], lines.Select(line => line.Operation));
    }

    [Fact]
    public async Task A_damaged_line_before_the_last_is_an_error_with_file_and_line()
    {
        await using (var writer = Writer())
            writer.Write(new() { Kind = HistoryKind.Invoke, Operation = 1 });
        await System.IO.File.AppendAllTextAsync(File, "{\"kind\":\"inv\n{\"kind\":\"ack\",\"op\":1}\n", Token);

        var error = Assert.Throws<InvalidDataException>(() => Read(File, out _));

        Assert.StartsWith($"{File}:3 is no record of a history", error.Message);
    }

    [Fact]
    public void A_file_without_the_line_of_its_process_is_refused()
    {
        System.IO.File.WriteAllText(File, "{\"kind\":\"ack\",\"op\":1}\n");

        var error = Assert.Throws<InvalidDataException>(() => Read(File, out _));

        Assert.StartsWith($"{File}:1 is not the line of a process", error.Message);
    }

    [Fact]
    public async Task Lines_longer_than_the_buffer_are_read()
    {
        var keys = Range(0, 100_000).Select(n => $"key-{n}").ToList();
        await using (var writer = Writer())
        {
            writer.Write(new() { Kind = HistoryKind.State, Ledger = new() { Applied = keys } });
            writer.Write(new() { Kind = HistoryKind.Invoke, Operation = 1 });
        }

        var lines = Read(File, out _);

        Assert.Equal(keys, lines[1].Ledger!.Applied);
        Assert.Equal(1, lines[2].Operation);
    }

    [Fact]
    public async Task Writers_on_many_threads_lose_nothing_and_their_times_never_go_back()
    {
        await using (var writer = Writer())
        {
            await Parallel.ForAsync(
                0,
                2_000,
                (_, _) =>
                {
                    writer.Write(new() { Kind = HistoryKind.Invoke, Operation = writer.NextOperation() });
                    return ValueTask.CompletedTask;
                }
            );
        }

        var lines = Read(File, out _);

        Assert.Equal(Range(0, 2_001).Select(op => (long)op), lines.Select(line => line.Operation).Order());
        Assert.Equal(lines.Select(line => line.At).Order(), lines.Select(line => line.At));
    }

    [Fact]
    public void Two_processes_of_one_name_do_not_share_a_file()
    {
        System.IO.File.WriteAllText(File, "");

        Assert.Throws<IOException>(() => Writer());
    }

    [Fact]
    public void A_folder_without_a_history_is_refused_with_its_name()
    {
        var missing = _folder.Below("missing");

        AssertNames<DirectoryNotFoundException>(missing, () => HistoryFolder.Files(missing));
        AssertNames<InvalidDataException>(_folder.Path, () => HistoryFolder.Files(_folder.Path));
        AssertNames<ArgumentException>("../x", () => HistoryFolder.FileOf("f", "../x"));

        static void AssertNames<TError>(string name, Func<object> call)
            where TError : Exception => Assert.Contains(name, Assert.Throws<TError>(call).Message);
    }

    private HistoryWriter Writer() => new(_folder.Path, "client-1", "client");

    private static List<HistoryRecord> Read(string path, out bool torn)
    {
        using var reader = new HistoryReader(path);
        var records = new List<HistoryRecord>();
        while (reader.Read() is { } line)
            records.Add(line.Record);
        torn = reader.IsTorn;
        return records;
    }

    private static HistoryRecord Full() =>
        new()
        {
            Kind = HistoryKind.State,
            Operation = 1,
            Process = "host-1",
            Role = "host",
            Time = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
            Client = "c1",
            Call = CallKind.Start,
            Instance = Guid.CreateVersion7(),
            Key = "k",
            Name = "n",
            BusinessKey = "b",
            DedupKey = "d",
            Delay = 5,
            Outcome = AckOutcome.Existing,
            Detail = "\"quoted\"\n",
            Definition = "def",
            Version = 3,
            Next = 4,
            Status = InstanceStatus.Running,
            Waits = WaitKinds.Timer | WaitKinds.External,
            Parent = Guid.CreateVersion7(),
            Root = Guid.CreateVersion7(),
            Continues = true,
            Id = Guid.CreateVersion7(),
            Token = 2,
            Phase = HistoryPhase.Stored,
            Value = 1.5,
            Least = 7,
            Stops = true,
            Ledger = new() { Origin = "o", Applied = ["a", "b"], Results = [new("work", Guid.CreateVersion7(), 2)] },
            Attempts = 5,
            Reason = DeadLetterReason.BufferFull,
            Census = new(1, 2, 3, 4, 5, 6, 7, 8, 9),
            Limits = new() { SignalAttempts = 3 },
        };
}

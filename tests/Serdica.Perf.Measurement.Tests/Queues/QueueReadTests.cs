namespace Serdica.Perf.Measurement.Tests.Queues;

public sealed class QueueReadTests
{
    public const int PayloadBytes = 64;

    [Theory]
    [InlineData(new[] { 7, 8, 9, 4 }, 0, "read 1 5 90000 0 7 1 1 -5.")]
    [InlineData(new[] { int.MaxValue, int.MinValue, -1 }, 2, "read 1 5 90000 2 2147483647 1 2147483647.")]
    [InlineData(new int[0], 3, "read 1 5 90000 3.")]
    public void What_was_read_is_one_line_from_process_to_process(int[] messages, int altered, string line)
    {
        var payloads = messages.Select(message => MessagePayload.Of(message, PayloadBytes));
        var begin = Stopwatch.GetTimestamp();

        var read = Read(1, payloads.Concat(Repeat<byte[]>([1], altered)), FromMilliseconds(9));

        Assert.InRange(read.At, begin, Stopwatch.GetTimestamp());
        Assert.Equal(line, (read with { At = 5 }).Line);
        var parsed = QueueRead.Parse(line, copies: 2)!;
        Assert.Equal((1, 5, FromMilliseconds(9), altered), (parsed.Copy, parsed.At, parsed.Commit, parsed.Altered));
        Assert.Equal(messages, parsed.Messages);
    }

    [Theory]
    [InlineData("")]
    [InlineData("serdica-perf ready")]
    [InlineData("{\"state\":\"running\"}")]
    [InlineData("read 1 5 90000 0 7 1 ")]
    public void Another_line_and_half_a_line_are_no_report(string line) => Assert.Null(QueueRead.Parse(line, copies: 2));

    [Theory]
    [InlineData("read .")]
    [InlineData("read 1 5 90000.")]
    [InlineData("read 2 5 90000 0 7.")]
    [InlineData("read -1 5 90000 0 7.")]
    [InlineData("read 1 5 90000 0 7  1.")]
    [InlineData("read 1 5 90000 0 2147483648.")]
    [InlineData("read 1 5 90000 0 7read 0 5 90000 0 7.")]
    public void A_broken_report_is_refused(string line) =>
        Assert.Contains(line, Assert.Throws<FormatException>(() => QueueRead.Parse(line, copies: 2)).Message);

    [Theory]
    [InlineData(20, 1, 4, new[] { 5, 5, 5, 5 })]
    [InlineData(8, 2, 3, new[] { 3, 2, 3 })]
    [InlineData(6, 3, 2, new[] { 3, 3 })]
    public void Hosts_share_the_readers_of_each_queue(int readers, int queues, int hosts, int[] each)
    {
        int Of(int host, int queue) => QueueReaders.ReadersOf(host, hosts, queue, queues, readers);
        var numbers = Range(1, hosts);

        Assert.Equal(each, numbers.Select(host => Range(0, queues).Sum(queue => Of(host, queue))));
        for (var queue = 0; queue < queues; queue++)
            Assert.Equal(QueueWorkload.ReadersOf(queue, readers, queues), numbers.Sum(host => Of(host, queue)));
    }

    internal static QueueRead Read(int copy, IEnumerable<byte[]> payloads, TimeSpan commit = default) =>
        QueueRead.Of(
            copy,
            new(
                new(DateTimeOffset.UnixEpoch, [.. payloads.Select(payload => new Message { Id = Guid.NewGuid(), Payload = payload })]),
                commit
            ),
            PayloadBytes
        );
}

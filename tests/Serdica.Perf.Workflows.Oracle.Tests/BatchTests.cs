using FsCheck;
using FsCheck.Fluent;

namespace Serdica.Perf.Workflows.Oracle.Tests;

/// <summary>What goes over the wire: contents come back as they were, documents fit their binds.</summary>
public sealed class BatchTests
{
    private static readonly OracleInstanceRow Row = new(
        Guid.CreateVersion7(),
        null,
        "key",
        3,
        InstanceStatus.Waiting,
        WaitKinds.External,
        DateTimeOffset.UnixEpoch,
        DateTimeOffset.UnixEpoch
    );

    [Theory]
    [InlineData("{}", null)]
    [InlineData("""{"a": 1.50,  "b":"ä\u0000"}""", """{ "c" : [1, 2 ] }""")]
    [InlineData("null", "[]")]
    [InlineData("\"text\"", null)]
    public void Instance_comes_back_byte_for_byte(string state, string? progress)
    {
        var instance = Instance(state, progress) with { Error = "Not \"so\" good ✓" };

        var read = OracleContents.ReadInstance(Row, OracleContents.Of(instance));

        Assert.Equal(instance.State, read.State);
        Assert.Equal(instance.Progress, read.Progress);
        Assert.Equal(
            ("the \"definition\" ünïcode", 7, "step", "Not \"so\" good ✓"),
            (read.Definition, read.DefinitionVersion, read.Step, read.Error)
        );
        Assert.Equal(("key", 3L, WaitKinds.External), (read.BusinessKey, read.Version, read.Waits));
    }

    [Fact]
    public void Any_payload_comes_back_and_no_content_is_empty() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll<byte[]>(payload =>
            {
                var content = OracleContents.Of(Signal("ünïcode ✓", payload));
                var (name, read) = OracleContents.ReadSignal(content);
                var message = OracleContents.Of(new Message { Id = Guid.Empty, Payload = payload });
                return name == "ünïcode ✓"
                    && read.SequenceEqual(payload)
                    && message.Length > 0
                    && OracleContents.ReadMessage(message).SequenceEqual(payload);
            })
        );

    [Fact]
    public void Ids_sort_in_the_database_as_they_do_here()
    {
        var ids = Range(0, 100).Select(_ => Guid.NewGuid()).ToList();

        Assert.Equal(
            ids.Order().Select(id => Convert.ToHexString(OracleText.Raw(id))),
            ids.Select(id => Convert.ToHexString(OracleText.Raw(id))).Order(StringComparer.Ordinal)
        );
        Assert.All(ids, id => Assert.Equal(id, OracleText.Id(OracleText.Hex(id))));
    }

    [Fact]
    public void Times_are_rounded_up_so_that_nothing_is_early()
    {
        Assert.Equal(1, OracleTime.Microseconds(FromTicks(1)));
        Assert.Equal(1, OracleTime.Microseconds(FromTicks(10)));
        Assert.Equal(2, OracleTime.Microseconds(FromTicks(11)));
        var time = new DateTimeOffset(2026, 1, 2, 3, 4, 5, 678, FromHours(2));
        Assert.Equal(time, OracleTime.Time(OracleTime.Microseconds(time)));
        Assert.Null(OracleTime.Delay(-1));
    }

    [Fact]
    public void Document_takes_what_fits_a_bind_and_no_more()
    {
        var document = new OracleDocument(0);
        var item = new byte[100];
        var content = new byte[300];
        var items = 0;
        while (document.HasRoomFor(item.Length, content.Length, 0))
        {
            document.Add(item, content, [], 0);
            items++;
        }

        Assert.InRange(document.Items().Length, 2, OracleBind.MaxRaw);
        Assert.InRange(document.Contents()!.Length, OracleBind.MaxRaw - 300, OracleBind.MaxRaw);
        Assert.Equal(OracleBind.MaxRaw / 300, items);
    }

    [Fact]
    public void Batch_of_small_items_is_one_call_and_a_large_content_makes_it_a_transaction()
    {
        var small = new OracleBatch();
        for (var i = 0; i < 50; i++)
            small.Publish(new SignalSubmission(Signal("go", new byte[100])));
        var large = new OracleBatch();
        large.Start(Instance($"\"{new string('x', OracleBatch.MaxInline)}\"", null));
        var many = new OracleBatch();
        for (var i = 0; i < 500; i++)
            many.Publish(new SignalSubmission(Signal("go", new byte[100])));

        Assert.False(small.NeedsTransaction);
        Assert.True(large.NeedsTransaction);
        Assert.True(many.NeedsTransaction);
    }

    [Fact]
    public void Two_largest_contents_fit_one_document() => Assert.True(2 * OracleBatch.MaxInline <= OracleBind.MaxRaw);

    [Fact]
    public void Limits_are_those_of_the_package()
    {
        var body = Scripts.All["package-body"];

        Assert.Contains($"k_inline_bytes  CONSTANT PLS_INTEGER := {OracleBatch.MaxInline};", body);
        Assert.Contains($"k_batch_bytes   CONSTANT PLS_INTEGER := {OracleBind.MaxRaw};", body);
        Assert.InRange(OracleBind.MaxRaw, 2 * OracleBatch.MaxInline, 32_000);
        Assert.Contains($"k_message_bytes CONSTANT PLS_INTEGER := {OracleMessages.MaxContent};", body);
    }

    private static InstanceRecord Instance(string state, string? progress) =>
        new()
        {
            Id = Row.Id,
            Definition = "the \"definition\" ünïcode",
            DefinitionVersion = 7,
            Status = InstanceStatus.Waiting,
            Step = "step",
            Version = 3,
            State = Encoding.UTF8.GetBytes(state),
            Progress = progress is null ? null : Encoding.UTF8.GetBytes(progress),
        };

    private static Signal Signal(string name, byte[] payload) =>
        new() { Id = Guid.CreateVersion7(), InstanceId = Row.Id, Kind = SignalKind.External, Name = name, Payload = payload };
}

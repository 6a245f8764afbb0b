using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>The small writer and reader of BSON, against bytes of the specification and against each other.</summary>
public sealed class BsonTests
{
    [Fact]
    public void Document_of_the_specification_has_its_bytes()
    {
        using var writer = new BsonWriter();
        writer.Write("hello"u8, "world");

        Assert.Equal("\x16\0\0\0\x02hello\0\x06\0\0\0world\0\0"u8.ToArray(), writer.Finish().ToArray());
    }

    [Fact]
    public void All_that_is_written_is_read_again()
    {
        var id = Guid.CreateVersion7();
        var time = DateTimeOffset.FromUnixTimeMilliseconds(1_795_269_051_072);
        using var writer = new BsonWriter();
        writer.Write("int"u8, -7);
        writer.Write("long"u8, long.MinValue);
        writer.Write("yes"u8, true);
        writer.Write("time"u8, time);
        writer.Write("text"u8, "ünïcode ✓");
        writer.WriteBinary("bytes"u8, [0, 1, 255]);
        writer.WriteNull("nothing"u8);
        writer.BeginDocument("inner"u8);
        writer.Write("id"u8, id);
        writer.End();

        var reader = new BsonReader(writer.Finish().Span);
        Assert.True(reader.Find("int"u8));
        Assert.Equal(-7, reader.Int32());
        Assert.True(reader.Find("long"u8));
        Assert.Equal(long.MinValue, reader.Int64());
        Assert.True(reader.Find("yes"u8));
        Assert.Equal(1, reader.Number());
        Assert.True(reader.Find("time"u8));
        Assert.Equal(time, reader.Time());
        Assert.True(reader.Find("text"u8));
        Assert.Equal("ünïcode ✓", reader.String());
        Assert.True(reader.Find("bytes"u8));
        Assert.Equal([0, 1, 255], reader.Binary().ToArray());
        Assert.True(reader.Find("inner"u8));
        var inner = new BsonReader(reader.Document());
        Assert.True(inner.Find("id"u8));
        Assert.Equal(id, inner.Guid());
        Assert.False(inner.Next());
        Assert.False(reader.Next());
    }

    [Fact]
    public void Items_of_an_array_are_numbered_also_behind_a_nested_one()
    {
        using var writer = new BsonWriter();
        writer.BeginArray("items"u8);
        writer.Write(default, 1);
        writer.BeginArray();
        writer.Write(default, 2);
        writer.End();
        for (var i = 2; i < 12; i++)
            writer.Write(default, i);
        writer.End();

        var reader = new BsonReader(writer.Finish().Span);
        Assert.True(reader.Find("items"u8));
        var items = new BsonReader(reader.Document());
        for (var i = 0; i < 12; i++)
        {
            Assert.True(items.Next());
            Assert.Equal($"{i}", System.Text.Encoding.UTF8.GetString(items.Name));
        }

        Assert.False(items.Next());
    }

    [Fact]
    public void Document_grows_beyond_its_first_buffer()
    {
        var bytes = new byte[100_000];
        Array.Fill<byte>(bytes, 42);
        using var writer = new BsonWriter();
        writer.Write("before"u8, 1);
        writer.WriteBinary("bytes"u8, bytes);
        writer.Write("after"u8, 2);

        var reader = new BsonReader(writer.Finish().Span);
        Assert.True(reader.Find("bytes"u8));
        Assert.Equal(bytes, reader.Binary().ToArray());
        Assert.True(reader.Find("after"u8));
        Assert.Equal(2, reader.Int32());
    }

    [Theory]
    [InlineData(new byte[0])]
    [InlineData(new byte[] { 5, 0, 0 })]
    [InlineData(new byte[] { 200, 0, 0, 0, 0 })]
    public void Bytes_that_are_no_document_are_refused(byte[] bytes) =>
        Assert.Throws<InvalidDataException>(() => new BsonReader(bytes).Next());

    [Fact]
    public void Keys_are_ordered_by_time_then_id_byte_for_byte()
    {
        DueKey[] keys =
        [
            DueKey.First(long.MinValue), new(-1, Guid.Empty), new(0, Guid.Empty), new(1, Guid.Empty),
            new(1, new Guid("01900000-0000-7000-8000-000000000001")), new(1, new Guid("02900000-0000-7000-8000-000000000000")),
            new(1_795_269_051_072, Guid.Empty), DueKey.First(long.MaxValue),
        ];

        var bytes = keys.Select(key =>
        {
            var written = new byte[DueKey.Size];
            key.Write(written);
            Assert.Equal(key, DueKey.Read(written));
            return Convert.ToHexString(written);
        }).ToList();

        Assert.Equal(bytes.Order(StringComparer.Ordinal), bytes);
    }

    [Fact]
    public void Key_of_a_time_between_two_milliseconds_is_not_early()
    {
        var time = DateTimeOffset.FromUnixTimeMilliseconds(1_000).AddTicks(1);

        Assert.Equal(1_001, DueKey.At(time, Guid.Empty).Milliseconds);
        Assert.Equal(1_000, DueKey.At(time.AddTicks(-1), Guid.Empty).Milliseconds);
    }
}

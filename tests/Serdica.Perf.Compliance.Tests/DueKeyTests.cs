namespace Serdica.Perf.Compliance;

/// <summary>Keys whose order as bytes is that of due times.</summary>
public sealed class DueKeyTests
{
    [Fact]
    public void Keys_are_ordered_by_time_then_id_byte_for_byte()
    {
        DueKey[] keys =
        [
            DueKey.First(long.MinValue),
            new(-1, Guid.Empty),
            new(0, Guid.Empty),
            new(1, Guid.Empty),
            new(1, new Guid("01900000-0000-7000-8000-000000000001")),
            new(1, new Guid("02900000-0000-7000-8000-000000000000")),
            new(1_795_269_051_072, Guid.Empty),
            DueKey.First(long.MaxValue),
        ];

        var bytes = keys.Select(key =>
            {
                var written = key.ToBson();
                Assert.Equal(BsonBinarySubType.Binary, written.SubType);
                Assert.Equal(key, DueKey.Read(written.Bytes));
                return Convert.ToHexString(written.Bytes);
            })
            .ToList();

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

namespace Serdica.Perf.Workflows.Tests;

public sealed class SortableIdTests
{
    [Fact]
    public void Ids_of_one_caller_grow_also_when_the_clock_goes_back()
    {
        var start = DateTimeOffset.UtcNow;

        var ids = Range(0, 20_000).Select(i => SortableId.Next(start.AddMilliseconds(-i))).ToList();

        Assert.Equal(ids.Order(), ids);
        Assert.Equal(ids.Select(id => id.ToString()).Order(StringComparer.Ordinal), ids.Select(id => id.ToString()));
    }

    [Fact]
    public void Ids_are_uuids_of_version_7()
    {
        foreach (var id in Range(0, 5_000).Select(_ => SortableId.Next(DateTimeOffset.UtcNow)))
        {
            Assert.Equal(7, id.Version);
            Assert.InRange(id.Variant, 0x8, 0xB);
        }
    }

    [Fact]
    public async Task Ids_of_eight_racing_threads_are_unique()
    {
        var ids = await Task.WhenAll(
            Range(0, 8)
                .Select(_ =>
                    Task.Run(() => Range(0, 20_000).Select(_ => SortableId.Next(DateTimeOffset.UtcNow)).ToList(), Token)
                )
        );

        EachItem.Holds(ids, own => Assert.Equal(own.Order(), own));
        Assert.Equal(160_000, ids.SelectMany(own => own).ToHashSet().Count);
    }

    /// <summary>Stores that are divided find instances by it for as long as they exist.</summary>
    [Theory]
    [InlineData("order-4711", 2934)]
    [InlineData("ключ", 47387)]
    [InlineData("", 7385)]
    public void Slot_of_a_business_key_never_changes_and_is_in_the_id(string key, int slot)
    {
        Assert.Equal(slot, SortableId.SlotOf(key));
        Assert.Equal(slot, SortableId.SlotOf(SortableId.NextFor(DateTimeOffset.UtcNow, key)));
    }

    [Fact]
    public void Ids_beside_another_have_its_slot_and_so_has_a_family()
    {
        var starter = SortableId.Next(DateTimeOffset.UtcNow);
        var ids = Range(0, 1_000).Select(_ => SortableId.NextBeside(DateTimeOffset.UtcNow, starter)).ToList();

        Assert.Equal(ids.Order(), ids);
        Assert.Equal(1_000, ids.Distinct().Count());
        EachItem.Holds(ids, id => Assert.Equal(SortableId.SlotOf(starter), SortableId.SlotOf(id)));
        EachItem.Holds(ids, id => Assert.Equal(SortableId.SlotOf(starter), SortableId.SlotOf(SortableId.Offset(id, int.MaxValue))));
        EachItem.Holds(ids, id => Assert.Equal((7, true), (id.Version, id.Variant is >= 0x8 and <= 0xB)));
    }
}

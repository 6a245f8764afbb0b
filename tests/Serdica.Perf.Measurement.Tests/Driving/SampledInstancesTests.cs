namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class SampledInstancesTests
{
    [Theory]
    [InlineData(7, 1)]
    [InlineData(8, 1)]
    [InlineData(9, 2)]
    [InlineData(16, 2)]
    [InlineData(1_000, 128)]
    public void A_sample_of_any_number_of_operations_stays_even_and_bounded(int operations, int stride)
    {
        var instances = new SampledInstances(OperationSet.Endless, most: 8);
        foreach (var operation in Range(0, operations))
            instances.Add(operation, IdOf(operation));

        var kept = instances.Of(operations);

        Assert.Equal(stride, instances.Stride);
        Assert.InRange(kept.Length, Math.Min(operations, 4), 8);
        Assert.Equal(Range(0, kept.Length).Select(index => IdOf(index * stride)), kept.ToArray());
        Assert.True(kept.Length * stride >= operations);
    }

    [Fact]
    public void Operations_may_come_in_any_order_and_one_without_an_instance_is_seen()
    {
        var instances = new SampledInstances(10, most: 8);
        foreach (var operation in (int[])[9, 8, 6, 5, 3, 2, 1, 0, 7])
            instances.Add(operation, IdOf(operation));

        // Every second of ten is kept, and the fifth never came.
        Assert.Equal([IdOf(0), IdOf(2), Guid.Empty, IdOf(6), IdOf(8)], instances.Of(10).ToArray());
        Assert.Null(instances.Any(2));
        Assert.Equal(IdOf(6), instances.Any(3));
        Assert.Empty(instances.Of(0).ToArray());
    }

    [Fact]
    public void Room_is_made_for_operations_that_were_launched_and_got_no_instance()
    {
        var instances = new SampledInstances(OperationSet.Endless, most: 8);
        instances.Add(0, IdOf(0));

        Assert.Equal(5, instances.Of(17).Length);
        Assert.Equal(4, instances.Stride);
    }

    /// <summary>What stood in the places of the second half belongs to other operations.</summary>
    [Fact]
    public void Operation_that_got_no_instance_does_not_have_that_of_another_when_room_was_made()
    {
        var instances = new SampledInstances(OperationSet.Endless, most: 4);
        foreach (var operation in Range(0, 4))
            instances.Add(operation, IdOf(operation));
        instances.Add(5, IdOf(5));

        Assert.Equal([IdOf(0), IdOf(2), Guid.Empty, Guid.Empty], instances.Of(7).ToArray());
        Assert.Null(instances.Find(4));
        Assert.Equal([IdOf(0), IdOf(2), IdOf(0)], new[] { 0, 1, 2 }.Select(number => instances.Any(number)!.Value));
    }

    private static Guid IdOf(int operation) => new(operation + 1, 0, 0, new byte[8]);
}

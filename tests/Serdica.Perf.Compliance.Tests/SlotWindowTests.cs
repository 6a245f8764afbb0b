namespace Serdica.Perf.Compliance;

/// <summary>Which slots a look of the document backends covers, and where it starts.</summary>
public sealed class SlotWindowTests
{
    private static readonly DateTimeOffset Noon = new(2026, 1, 1, 12, 0, 0, TimeSpan.Zero);

    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void Window_is_halved_to_a_single_slot_and_doubled_until_it_is_all_again()
    {
        var window = new SlotWindow(16);
        int[] narrowed = [.. Range(0, 6).Select(_ => SizeAfter(window.Narrow))];
        int[] widened = [.. Range(0, 5).Select(_ => SizeAfter(window.Widen))];

        Assert.Equal([8, 4, 2, 1, 1, 1], narrowed);
        Assert.Equal([2, 4, 8, 16, 16], widened);

        int SizeAfter(Action change)
        {
            change();
            return window.Next()?.Length ?? 16;
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(8)]
    public void Looks_of_a_narrow_window_cover_each_slot_once(int largest)
    {
        var window = new SlotWindow(largest);
        window.Widen();

        for (var round = 0; round < 2; round++)
            Assert.Equal(Range(0, 16), Range(0, 16 / largest).SelectMany(_ => window.Next()!).Order());
    }

    [Fact]
    public void Look_starts_a_little_before_what_the_last_one_found_and_once_a_second_at_the_first_key()
    {
        var start = new LookStart(_time);
        Assert.Equal(DueKey.First(long.MinValue), start.Of([0, 1]));
        start.Learn([0, 1], Noon);
        start.Learn([1], Noon.AddSeconds(-5));
        _time.Advance(FromSeconds(0.9));
        Assert.Equal(Before(Noon), start.Of([0]));
        Assert.Equal(Before(Noon.AddSeconds(-5)), start.Of([0, 1]));
        Assert.Equal(DueKey.First(long.MinValue), start.Of([1], full: true));
        _time.Advance(FromSeconds(0.1));

        // Slot 1 was looked at in full 0.1 s ago, slot 0 a second ago, slot 2 never.
        Assert.Equal(Before(Noon.AddSeconds(-5)), start.Of([1]));
        Assert.Equal(DueKey.First(long.MinValue), start.Of([1, 2]));
        Assert.Equal(DueKey.First(long.MinValue), start.Of([0, 1]));
        Assert.Equal(Before(Noon), start.Of([0]));
    }

    private static DueKey Before(DateTimeOffset first) => DueKey.First(first.ToUnixTimeMilliseconds() - 200);
}

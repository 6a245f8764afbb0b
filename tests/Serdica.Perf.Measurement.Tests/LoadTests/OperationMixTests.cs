namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class OperationMixTests
{
    [Fact]
    public void A_mix_is_kinds_with_weights()
    {
        var mix = OperationMix.Parse("signal-roundtrip=70, start-only=20.5,");

        Assert.Equal([new("signal-roundtrip", 70), new("start-only", 20.5)], mix);
        Assert.Equal("signal-roundtrip=70,start-only=20.5", OperationMix.Text(mix));
    }

    [Theory]
    [InlineData("", "The mix is empty")]
    [InlineData("a", "'a' with the weight ''")]
    [InlineData("a=0", "'a' with the weight '0'; it must be a number above 0")]
    [InlineData("a=1,a=2", "'a' 2 times; name each kind once")]
    public void What_is_no_mix_is_refused(string text, string words) => Assert.Contains(words, Mistake(() => OperationMix.Parse(text)));

    [Fact]
    public void Kinds_are_chosen_by_weight()
    {
        const int Operations = 100_000;
        var choice = new MixChoice([70, 20, 10], seed: 3);

        var shares = Range(0, Operations)
            .CountBy(choice.KindOf)
            .ToDictionary(kind => kind.Key, kind => (double)kind.Value / Operations);

        Assert.Equal(0.7, shares[0], 0.01);
        Assert.Equal(0.2, shares[1], 0.01);
        Assert.Equal(0.1, shares[2], 0.01);
    }

    [Fact]
    public void A_seed_gives_the_same_sequence_and_another_seed_another_one()
    {
        static int[] Kinds(int seed)
        {
            var choice = new MixChoice([1, 1, 2], seed);
            return [.. Range(0, 200).Select(choice.KindOf)];
        }

        Assert.Equal(Kinds(1), Kinds(1));
        Assert.NotEqual(Kinds(1), Kinds(2));
        Assert.Equal([1, 2, 2, 0, 2, 2, 0, 1], Kinds(1)[..8]);
    }
}

namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class LoadProfileTests
{
    private static readonly LoadProfile Whole = new()
    {
        Name = "whole",
        Slots = 10,
        Steps =
        [
            new()
            {
                Name = "open",
                Kind = LoadKind.Open,
                PerSecond = 100,
                ReadsPerSecond = 6,
                MinUsers = 9,
                MaxUsers = 101,
                Operations = 1_003,
            },
            new() { Name = "burn", Kind = LoadKind.BurnDown, Backlog = 50 },
        ],
    };

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(7)]
    public void The_shares_of_all_generators_are_the_whole(int generators)
    {
        var shares = Range(1, generators).Select(generator => Whole.ShareOf(generator, generators)).ToArray();

        Assert.Equal(Whole.Slots, shares.Sum(share => share.Slots));
        Assert.Equal(
            (100, 6, 9, 101, 1_003),
            (
                Math.Round(shares.Sum(share => share.Steps[0].PerSecond!.Value), 9),
                Math.Round(shares.Sum(share => share.Steps[0].ReadsPerSecond), 9),
                shares.Sum(share => share.Steps[0].MinUsers),
                shares.Sum(share => share.Steps[0].MaxUsers),
                shares.Sum(share => share.Steps[0].Operations)
            )
        );
        Assert.Equal(50, shares.Sum(share => share.Steps[1].Backlog));
        EachItem.Holds(shares, share => Assert.InRange(share.Slots!.Value, 10 / generators, (10 / generators) + 1));
    }

    [Theory]
    [InlineData(60, 0.5, 30)]
    [InlineData(60, 0.01, 3)]
    [InlineData(3, 0.01, 3)]
    [InlineData(2, 0.01, 2)]
    [InlineData(0.5, 0.01, 0.5)]
    [InlineData(0, 0.01, 0)]
    public void A_warm_up_is_not_shortened_below_what_it_takes_to_be_warm(double seconds, double factor, double scaled) =>
        Assert.Equal(FromSeconds(scaled), (Whole with { WarmUp = FromSeconds(seconds) }).Scaled(factor).WarmUp);

    [Fact]
    public void A_test_is_repeated_from_its_first_step_to_its_last()
    {
        Assert.Same(Whole, Whole.Repeated(1));
        Assert.Equal(["open #1", "burn #1", "open #2", "burn #2"], Whole.Repeated(2).Steps.Select(step => step.Title));
        Assert.Equal(["open", "burn"], Whole.Steps.Select(step => step.Title));
    }

    [Fact]
    public void What_is_not_limited_stays_without_a_limit()
    {
        var share = (Whole with { Slots = null, Steps = [Whole.Steps[0] with { Operations = null }] }).ShareOf(2, 4);

        Assert.Null(share.Slots);
        Assert.Null(share.Steps[0].Operations);
        Assert.Equal(0, share.Steps[0].Backlog);
    }

    /// <summary>Adding a hair to a share leaves it as it was, so such a ramp has no end.</summary>
    [Theory]
    [InlineData(1e-17)]
    [InlineData(1e-6)]
    [InlineData(double.Epsilon)]
    public void A_ramp_of_more_steps_than_anybody_measures_is_refused(double by)
    {
        var target = new LoadStep { Name = "ramp", Kind = LoadKind.Open, PerSecond = 100 };

        var mistake = Mistake(() => LoadSteps.Ramp(target, by: by).Take(LoadSteps.MostOfARamp + 1).Count());

        Assert.Contains($"{LoadSteps.MostOfARamp:N0} steps", mistake);
    }

    /// <summary>Ten times a tenth is a little less than 1 in binary.</summary>
    [Fact]
    public void A_ramp_that_comes_to_its_rate_does_not_measure_it_twice() =>
        Assert.Equal(10, LoadSteps.Ramp(new() { Name = "ramp", Kind = LoadKind.Open, PerSecond = 125 }, 0.1, 0.1).Count());

    [Fact]
    public void The_longest_ramp_ends_at_its_rate()
    {
        var target = new LoadStep { Name = "ramp", Kind = LoadKind.Open, PerSecond = 100 };

        var steps = LoadSteps.Ramp(target, from: 1.0 / LoadSteps.MostOfARamp, by: 1.0 / LoadSteps.MostOfARamp).ToList();

        Assert.Equal((LoadSteps.MostOfARamp, 100.0), (steps.Count, steps[^1].PerSecond));
    }
}

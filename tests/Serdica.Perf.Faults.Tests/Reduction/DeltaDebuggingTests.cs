using FsCheck;
using FsCheck.Fluent;
using Serdica.Perf.Faults.Reduction;

namespace Serdica.Perf.Faults.Tests.Reduction;

public sealed class DeltaDebuggingTests
{
    private const int Unlimited = 10_000;

    /// <summary>A list of 0, 1, 2 ..., and what of it makes it fail.</summary>
    private static readonly Arbitrary<(int Length, int[] Culprits)> Failures = Arb.From(
        from length in Gen.Choose(1, 24)
        from picked in Gen.ArrayOf(Gen.Choose(0, length - 1))
        select (length, picked.Distinct().Order().Take(4).ToArray())
    );

    [Fact]
    public void Exactly_the_culprits_are_left() =>
        Prop.ForAll(Failures, failure => Assert.Equal(failure.Culprits, Reduce(failure.Length, failure.Culprits, Unlimited).Left))
            .QuickCheckThrowOnFailure();

    [Fact]
    public void No_part_is_tried_twice_and_none_is_the_whole() =>
        Prop.ForAll(Failures, failure =>
            {
                var tried = Reduce(failure.Length, failure.Culprits, Unlimited).Tried;

                Assert.Equal(tried.Count, tried.Select(part => string.Join(',', part)).Distinct().Count());
                EachItem.Holds(tried, part => Assert.Equal(part.Distinct().Order(), part));
                EachItem.Holds(tried, part => Assert.InRange(part.Count, 0, failure.Length - 1));
            })
            .QuickCheckThrowOnFailure();

    [Fact]
    public void What_is_left_fails_also_after_few_tries() =>
        Prop.ForAll(Failures, Gen.Choose(0, 12).ToArbitrary(), (failure, most) =>
            {
                var (left, tried) = Reduce(failure.Length, failure.Culprits, most);

                Assert.Empty(failure.Culprits.Except(left));
                Assert.InRange(tried.Count, 0, most);
            })
            .QuickCheckThrowOnFailure();

    [Fact]
    public async Task What_does_not_fail_again_stays_whole()
    {
        var search = new DeltaDebugging<int>(_ => Task.FromResult(false), Unlimited);

        Assert.Equal([1, 2, 3], await search.ReduceAsync([1, 2, 3]));
    }

    private static (IReadOnlyList<int> Left, List<IReadOnlyList<int>> Tried) Reduce(int length, int[] culprits, int most)
    {
        var tried = new List<IReadOnlyList<int>>();
        var search = new DeltaDebugging<int>(
            part =>
            {
                tried.Add(part);
                return Task.FromResult(culprits.All(part.Contains));
            },
            most
        );
        var left = search.ReduceAsync([.. Range(0, length)]).GetAwaiter().GetResult();
        Assert.Equal(tried.Count, search.Tries);
        return (left, tried);
    }
}

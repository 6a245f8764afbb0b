using System.Reflection;
using Xunit.v3;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>A test that runs for long keeps writing lines, so that the adapter of <c>dotnet test</c> takes no end for a crash.</summary>
public sealed class SignsOfLifeTests
{
    [Fact]
    public void Every_test_of_an_assembly_gives_them()
    {
        var assembly = (IXunitTestAssembly)TestContext.Current.TestAssembly!;

        var signs = Assert.Single(assembly.BeforeAfterTestAttributes.OfType<SignsOfLifeAttribute>());

        Assert.InRange(signs.Interval, FromSeconds(1), FromSeconds(30));
    }

    [Fact]
    public async Task A_line_is_written_for_each_interval_until_the_test_ends()
    {
        var signs = new SignsOfLifeAttribute { Interval = FromMilliseconds(4) };
        var test = (IXunitTest)TestContext.Current.Test!;
        var output = TestContext.Current.TestOutputHelper!;
        var method = (MethodInfo)MethodBase.GetCurrentMethod()!;

        signs.Before(method, test);
        while (!output.Output.Contains("Still running after 0.008 s."))
            await Task.Delay(1, Token);
        signs.After(method, test);

        var lines = output.Output;
        Assert.Contains("Still running after 0.004 s.", lines);
        signs.After(method, test);
        Assert.Equal(lines, output.Output);
    }

    [Fact]
    public async Task A_test_that_hangs_is_cancelled()
    {
        var signs = new SignsOfLifeAttribute { Interval = FromMilliseconds(4), Limit = FromMilliseconds(8) };
        var test = (IXunitTest)TestContext.Current.Test!;
        var method = (MethodInfo)MethodBase.GetCurrentMethod()!;

        signs.Before(method, test);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Task.Delay(Timeout.InfiniteTimeSpan, Token));
        signs.After(method, test);
    }
}

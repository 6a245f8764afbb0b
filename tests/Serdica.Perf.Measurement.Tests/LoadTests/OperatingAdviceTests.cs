using Serdica.Perf.Measurement.Tests.Sizing;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class OperatingAdviceTests
{
    private static readonly StepResult Failed = SampleStep.Good with { Verdict = StepVerdict.Failed, TargetPerSecond = 200 };

    [Fact]
    public void A_step_that_passed_gets_none() =>
        Assert.Empty(Of(SampleStep.Good with { Contamination = 5, Errors = [Error("start", 1)] }));

    [Fact]
    public void A_step_that_did_not_start_clean_gets_a_clean_start()
    {
        var advice = Assert.Single(Of(SampleStep.Good, Failed with { Verdict = StepVerdict.Degraded, Contamination = 1_234 }));

        Assert.Equal(
            ("step", AdviceKind.Operation, "clean start", "--wait-for-clean or --fresh-steps"),
            (advice.Step, advice.Kind, advice.Subject, advice.Advised)
        );
        Assert.StartsWith("1,234 instances, signals and messages", advice.Why);
    }

    [Fact]
    public void A_rate_without_a_lower_one_that_was_held_gets_a_ramp()
    {
        var advice = Assert.Single(Of(Failed));

        Assert.Equal(("way to the rate", "200/s at once", "--ramp 200"), (advice.Subject, advice.Now, advice.Advised));
        Assert.Empty(Of(SampleStep.Good, Failed));
        Assert.Equal(2, Of(Failed with { TargetPerSecond = 100 }, Failed).Length);
    }

    [Fact]
    public void The_first_error_is_the_one_to_watch()
    {
        var advice = Assert.Single(
            Of(SampleStep.Good, Failed with { Errors = [Error("signal", 7), Error("start", 2) with { IsRefusal = true }] })
        );

        Assert.Equal(("error to watch", "Timeout of start, 3 times"), (advice.Subject, advice.Now));
        Assert.Equal(
            "It came first, after 2.0 s, and later errors are often its consequences. The server refused the call: lower the rate, or "
                + "raise the server's limit.",
            advice.Why
        );
    }

    [Fact]
    public void Where_the_generator_was_the_limit_there_is_nothing_to_advise() =>
        Assert.Empty(Of(Failed with { GeneratorLimited = true, Contamination = 9 }));

    private static OperationError Error(string operation, double at) =>
        new() { Operation = operation, Kind = "Timeout", Count = 3, FirstMessage = "late", FirstAtSeconds = at };

    private static Advice[] Of(params StepResult[] steps) =>
        [.. OperatingAdvice.Of(SizingAdviceTests.Test(steps) with { Verdict = StepVerdict.Failed })];
}

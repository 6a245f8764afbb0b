namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class CarriedDebtTests
{
    private const double Gibibyte = 1L << 30;

    [Fact]
    public void A_step_that_starts_with_much_more_than_the_first_is_named_with_both_figures()
    {
        var sentence = Assert.Single(Of((100, 16 << 20), (60_000, 1.5 * Gibibyte)));

        Assert.Equal(
            "step-2 started with 60,000 dead rows (the first step: 100) and 1,536 MiB of log since the last checkpoint (the first step: "
                + "16 MiB): its figures include work that earlier steps left. A longer --cooldown or --fresh-steps shows how much.",
            sentence
        );
    }

    [Fact]
    public void Each_debt_counts_by_itself()
    {
        Assert.DoesNotContain("log", Assert.Single(Of((100, 0), (60_000, 0.9 * Gibibyte))));
        Assert.DoesNotContain("dead rows", Assert.Single(Of((100, 0), (49_999, Gibibyte))));
        Assert.DoesNotContain("log", Assert.Single(Of((100, null), (60_000, null))));
    }

    [Fact]
    public void A_debt_like_that_of_the_first_step_is_no_finding()
    {
        Assert.Single(Of((20_000, 0), (60_000, 0)));
        Assert.Empty(Of((20_001, 0), (60_000, 0)));
        Assert.Empty(Of((0, 0.5 * Gibibyte), (0, 1.4 * Gibibyte)));
        Assert.Empty(Of((null, null), (60_000, 2 * Gibibyte)));
        Assert.Empty(Of((60_000, 2 * Gibibyte)));
        Assert.Empty(CarriedDebt.Of([]));
    }

    [Fact]
    public void Generators_on_one_server_add_their_rows_and_share_its_log()
    {
        static StepDebt Debt(double rows, double bytes) =>
            new() { DeadRowsAtStart = rows, DeadRowsAtEnd = 2 * rows, LogBytesAtStart = bytes, LogBytesAtEnd = 2 * bytes };

        Assert.Equal(
            new StepDebt { DeadRowsAtStart = 30, DeadRowsAtEnd = 60, LogBytesAtStart = 7, LogBytesAtEnd = 14 },
            StepDebt.Of([Debt(10, 7), Debt(20, 5)])
        );
        Assert.Null(StepDebt.Of([null, null]));
    }

    private static string[] Of(params (double? Rows, double? Bytes)[] starts) =>
        [
            .. CarriedDebt.Of([
                .. starts.Select(
                    (start, index) =>
                        SampleStep.Good with
                        {
                            Name = $"step-{index + 1}",
                            Debt = new() { DeadRowsAtStart = start.Rows, LogBytesAtStart = start.Bytes },
                        }
                ),
            ]),
        ];
}

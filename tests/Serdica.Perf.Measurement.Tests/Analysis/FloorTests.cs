using Serdica.Perf.Analysis.Floors;

namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class FloorTests
{
    private static readonly DateTimeOffset Start = new(2026, 11, 22, 20, 0, 0, TimeSpan.Zero);

    [Fact]
    public void The_ratio_of_a_block_is_that_of_the_means_and_a_level_has_the_median_of_its_blocks()
    {
        FloorFigure[] figures =
        [
            .. Block(16, 1, 100, 190, 210, 300),
            .. Block(16, 2, 100, 100, 100, 100),
            .. Block(16, 3, 100, 300, 300, 100),
        ];

        var level = Assert.Single(FloorLevel.Of(figures));

        Assert.Equal((16, 3, 1.0, 1.0, 3.0), (level.Callers, level.Ratio.Count, level.Ratio.Median, level.Ratio.Min, level.Ratio.Max));
        Assert.Equal((100, 100, 300), (level.Floor.Median, level.Floor.Min, level.Floor.Max));
        Assert.Equal((200, 100, 300), (level.Engine.Median, level.Engine.Min, level.Engine.Max));
        Assert.Equal((901, 1_201), (level.FloorWalBytes, level.EngineWalBytes));
    }

    [Fact]
    public void An_unfinished_block_has_no_ratio_and_a_level_without_a_block_no_row()
    {
        FloorFigure[] figures =
        [
            .. Block(1, 1, 100, 80, 80, 100),
            .. Block(1, 2, 100, 800, 800, 100).SkipLast(1),
            .. Block(16, 1, 100, 300, 300, 100).Take(2),
        ];

        var level = Assert.Single(FloorLevel.Of(figures));

        Assert.Equal((1, 1, 0.8), (level.Callers, level.Ratio.Count, level.Ratio.Median));
    }

    [Fact]
    public void The_report_has_the_levels_and_every_measurement()
    {
        var report = Report(
            new()
            {
                Status = RunStatus.Passed,
                StartedAt = Start,
                Command = "serdica-perf floor --callers 1,16 --blocks 1",
                Database = new()
                {
                    Backend = "postgresql",
                    Product = "PostgreSQL",
                    Version = "15.18",
                    Source = "local",
                    Settings = new Dictionary<string, string> { ["fsync"] = "on", ["synchronous_commit"] = "on" },
                },
                Figures = [.. Block(1, 1, 1_446, 1_188, 1_200, 1_500), .. Block(16, 1, 6_023, 8_239, 8_100, 5_900)],
            }
        );

        Golden.Matches("tests/Serdica.Perf.Measurement.Tests/Golden/floor.md", report);
    }

    [Fact]
    public void A_measurement_that_was_stopped_says_so()
    {
        var report = Report(
            new()
            {
                Status = RunStatus.Aborted,
                StatusReason = "Stopped by the user.",
                StartedAt = Start,
                Command = "serdica-perf floor",
            }
        );

        Assert.Contains("**ABORTED**: Stopped by the user.", report);
        Assert.DoesNotContain("Every measurement", report);
    }

    private static string Report(FloorResult result)
    {
        using var writer = new StringWriter();
        FloorMarkdown.Write(writer, result);
        return writer.ToString();
    }

    private static IEnumerable<FloorFigure> Block(int callers, int number, params double[] rates) =>
        rates
            .Zip(FloorFigure.Order)
            .Select(
                (measured, index) =>
                    new FloorFigure(
                        callers,
                        number,
                        measured.Second,
                        measured.First,
                        number + (measured.Second == FloorSide.Floor ? 899 : 1_199),
                        Start.AddMinutes(number).AddSeconds(index),
                        LoadAverage: 2.05,
                        measured.Second == FloorSide.Floor ? null : $"runs/0{index}-engine/run"
                    )
            );
}

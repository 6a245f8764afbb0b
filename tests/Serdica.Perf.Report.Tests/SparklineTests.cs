using System.Xml.Linq;
using Serdica.Perf.Cli.Serving;

namespace Serdica.Perf.Report.Tests;

public sealed class SparklineTests
{
    [Fact]
    public void A_run_is_drawn_after_the_earlier_ones_of_its_series()
    {
        var (runs, same) = (Runs(100, 300, 200), Runs(5, 5));

        var drawing = XElement.Parse(Sparkline.Of(runs[0], runs));

        Assert.Equal("Throughput/s of the last 3 runs of this series, the oldest first: 100.0; 300.0; 200.0", Label(drawing));
        Assert.Equal("img", drawing.Attribute("role")!.Value);
        Assert.Equal("3,17 40,3 77,10", drawing.Element("polyline")!.Attribute("points")!.Value);
        Assert.Equal(("77", "10"), (drawing.Element("circle")!.Attribute("cx")!.Value, drawing.Element("circle")!.Attribute("cy")!.Value));
        Assert.EndsWith(" 2 runs of this series, the oldest first: 100.0; 300.0", Label(Sparkline.Of(runs[1], runs)));
        Assert.Equal("", Sparkline.Of(runs[2], runs));
        Assert.Contains("points=\"3,10 77,10\"", Sparkline.Of(same[0], same));
    }

    [Fact]
    public void Runs_before_the_last_20_are_left_out()
    {
        var runs = Runs([.. Range(1, 25).Select(number => (double?)number)]);

        var label = Label(Sparkline.Of(runs[0], runs));

        Assert.StartsWith("Throughput/s of the last 20 runs of this series, the oldest first: 6.00; ", label);
        Assert.EndsWith("; 25.00", label);
    }

    [Fact]
    public void Load_tests_have_their_p99_and_a_run_without_a_figure_has_nothing()
    {
        ListedRun[] loads = [.. Runs(1, null, 3).Select(run => run with { Headline = run.Headline! with { IsLoadTest = true } })];

        Assert.Equal("p99, ms of the last 2 runs of this series, the oldest first: 10.00; 30.00", Label(Sparkline.Of(loads[0], loads)));
        Assert.Equal("", Sparkline.Of(loads[1], loads));
        Assert.Equal("", Sparkline.Of(new("under way", ListedKind.UnderWay), loads));
    }

    [Fact]
    public void A_line_has_the_series_of_its_own_run_alone()
    {
        ListedRun Of(string? series, double throughput) =>
            Runs(throughput).Select(run => run with { Headline = run.Headline! with { Series = series } }).Single();
        ListedRun[] all = [Of("b", 3), Of("a", 200), Of("b", 2), Of(null, 100), Of("a", 100), Of(null, 1)];
        using var page = new StringWriter(CultureInfo.InvariantCulture);

        RunIndexPage.Write(page, "runs", all, DateTimeOffset.UnixEpoch);

        var cells = page.ToString().Split("<td data-is=\"Series\">").Skip(1).Select(cell => cell.Split("</td>")[0]);
        Assert.Equal(
            ["2.00; 3.00", "100.0; 200.0", "", "", "", ""],
            cells.Select(cell => cell.Length == 0 ? "" : Label(cell).Split(": ")[1])
        );
    }

    /// <summary>The newest first, as the list has them; the throughputs are given with the oldest first.</summary>
    private static ListedRun[] Runs(params double?[] throughputs) =>
        [
            .. throughputs
                .Select(
                    (throughput, number) =>
                        new ListedRun(
                            $"run-{number}",
                            ListedKind.Ended,
                            Headline: new("passed", true, "a scenario", throughput, throughput * 10, null, "series", false)
                        )
                )
                .Reverse(),
        ];

    private static string Label(string drawing) => Label(XElement.Parse(drawing));

    private static string Label(XElement drawing) => drawing.Attribute("aria-label")!.Value;
}

using System.Xml.Linq;
using Serdica.Perf.Cli.Commands.Faults;
using Serdica.Perf.Faults.Figures;

namespace Serdica.Perf.Cli.Tests;

public sealed class FaultPageTests
{
    [Fact]
    public void Each_fault_is_marked_where_it_began_and_where_it_ended()
    {
        var drawing = Drawing(SampleFaults.Result);

        var fault = Assert.Single(drawing.Elements(), element => Is(element, "fault"));
        Assert.Equal("killHost of host-1, 5.0 s to 7.0 s", fault.Element("title")!.Value);
        Assert.Equal("1", fault.Element("text")!.Value);
        var (begin, end) = (Number(fault.Elements("line").First(), "x1"), Number(fault.Elements("line").Last(), "x1"));
        var times = drawing.Elements("text").Where(text => text.Attribute("y")!.Value == Times(drawing)).ToList();
        var (zero, ten) = (At(times, "0"), At(times, "10"));
        Assert.Equal(zero + (ten - zero) * 0.5, begin, tolerance: 0.2);
        Assert.Equal(zero + (ten - zero) * 0.7, end, tolerance: 0.2);
        Assert.Equal(end - begin, Number(fault.Element("rect")!, "width"), tolerance: 0.2);
    }

    [Fact]
    public void Seconds_are_curves_with_gaps_and_bars_for_failed_calls()
    {
        var drawing = Drawing(SampleFaults.Result);

        Assert.Equal(
            ["Round trips/s", "p99, ms", "Failed calls/s"],
            drawing.Elements().Where(element => Is(element, "title")).Select(title => title.Value)
        );
        var lines = drawing.Elements().Where(element => Is(element, "line")).Select(line => line.Attribute("d")!.Value).ToList();
        Assert.Equal([1, 2], lines.Select(line => line.Count(letter => letter == 'M')));
        Assert.Single(drawing.Elements(), element => Is(element, "bar"));
    }

    [Fact]
    public void Page_says_what_was_proven_and_escapes_what_was_measured()
    {
        var page = Page(SampleFaults.Result);

        Assert.Contains("<h1>PROVEN: kill-worker on postgresql</h1>", page);
        Assert.Contains("<td>Each result had one effect.</td><td>held</td><td class=\"n\">4,000</td>", page);
        Assert.Contains("process &lt;4711&gt; ended by SIGKILL", page);
        Assert.Contains("<td class=\"n\">5</td><td class=\"n\">0</td><td class=\"n\">–</td><td class=\"n\">3</td>", page);
        Assert.DoesNotContain("<script", page);
    }

    [Fact]
    public void Run_without_a_whole_second_has_no_chart() =>
        Assert.DoesNotContain("<svg", Page(SampleFaults.Result with { Timeline = [] }));

    private static string Page(FaultResult result) => Written.By(page => FaultPage.Write(page, result));

    private static XElement Drawing(FaultResult result)
    {
        var page = Page(result);
        var from = page.IndexOf("<svg");
        var to = page.IndexOf("</svg>") + "</svg>".Length;
        return XElement.Parse(page[from..to]);
    }

    private static bool Is(XElement element, string name) => element.Attribute("class")?.Value == name;

    private static string Times(XElement drawing) =>
        drawing.Elements("text").Last(text => text.Value == "10" && text.Attribute("class") is null).Attribute("y")!.Value;

    private static double At(IEnumerable<XElement> times, string text) => Number(times.Single(time => time.Value == text), "x");

    private static double Number(XElement element, string attribute) =>
        double.Parse(element.Attribute(attribute)!.Value, CultureInfo.InvariantCulture);
}

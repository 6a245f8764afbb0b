using Serdica.Perf.Cli.Commands.Faults;
using Serdica.Perf.Cli.Serving;
using Serdica.Perf.Cli.Tests;
using Serdica.Perf.Faults.Figures;

namespace Serdica.Perf.Report.Tests;

/// <summary>The pages of <c>serve</c> and of a run under faults, which this program writes itself.</summary>
public sealed class ServedPageTests(ChromiumBrowser browser) : FolderTests
{
    [Theory]
    [InlineData(1280)]
    [InlineData(390)]
    public async Task The_list_of_runs_draws_the_series_of_each(int width)
    {
        foreach (var factor in (double[])[1, 1.5, 1.2])
        {
            ScenarioResult Slower(ScenarioResult scenario) => scenario with { DurationMs = scenario.DurationMs * factor };
            SyntheticRun.Write(Root.Path, FromSeconds(3), 200, run => run with { Scenarios = [.. run.Scenarios.Select(Slower)] });
        }

        await using var served = new ServedFolder(Root.Path);
        await using var page = await browser.OpenAsync(new Uri(served.Server.Address), width: width);

        var drawings = page.Page.GetByRole(AriaRole.Img);
        Assert.Equal(2, await drawings.CountAsync());
        Assert.Equal(
            "Throughput/s of the last 3 runs of this series, the oldest first: 8,300.0; 5,533.3; 6,916.7",
            await drawings.First.GetAttributeAsync("aria-label")
        );
        var box = (await drawings.First.Locator("polyline").BoundingBoxAsync())!;
        Assert.True(box is { Width: > 40, Height: > 8 } && box.X + box.Width <= width, $"{box.X} {box.Width} {box.Height}");
        Assert.NotEqual("none", await drawings.First.Locator("polyline").EvaluateAsync<string>("line => getComputedStyle(line).stroke"));
        Assert.Equal(width, await page.Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth"));
        Assert.Empty(page.Complaints);
        Assert.Empty(page.Requests);
    }

    [Theory]
    [MemberData(nameof(EvilObject.Variants), MemberType = typeof(EvilObject))]
    public void No_text_of_any_field_becomes_a_tag_in_a_page_that_is_written_here(int variant)
    {
        foreach (var (name, page) in Pages(variant))
        {
            Assert.DoesNotContain("<img", page, OrdinalIgnoreCase);
            Assert.True(page.Contains(HtmlPage.Escaped(EvilText.Tag)), name);
        }
    }

    [Fact]
    public async Task No_text_of_any_field_becomes_a_script_in_a_page_that_is_written_here()
    {
        foreach (var (name, text) in Pages(variant: 0))
        {
            Root.Write(name, text);
            await using var page = await browser.OpenAsync(Root.Below(name));

            Assert.False(await page.Page.EvaluateAsync<bool>("() => 'taken' in window"), name);
            Assert.Equal(0, await page.Page.Locator("img").CountAsync());
            Assert.Empty(page.Complaints);
        }
    }

    private static IEnumerable<(string Name, string Page)> Pages(int variant)
    {
        var runs = Enum.GetValues<ListedKind>().Select(kind => EvilObject.Of<ListedRun>(variant) with { Kind = kind }).ToArray();
        ListedRun[] listed =
        [
            .. runs,
            .. runs.Select(run => run with { Faults = null }),
            .. runs.Select(run => run with { Faults = null, Comparison = null }),
            .. runs.Select(run => run with { Faults = null, Comparison = null, Manifest = null }),
        ];
        yield return ("list.html", Written.By(writer => RunIndexPage.Write(writer, EvilText.Tag, listed, DateTimeOffset.UnixEpoch)));
        yield return ("empty.html", Written.By(writer => RunIndexPage.Write(writer, EvilText.Tag, [], DateTimeOffset.UnixEpoch)));
        yield return ("faults.html", Written.By(writer => FaultPage.Write(writer, EvilObject.Of<FaultResult>(variant))));
        yield return ("tables.html", Written.By(writer => HtmlTables.Write(writer, EvilObject.Of<ReportDocument>(variant))));
    }
}

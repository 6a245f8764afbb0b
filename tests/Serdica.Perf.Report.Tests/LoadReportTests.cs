using Serdica.Perf.Reports.Markdown;

namespace Serdica.Perf.Report.Tests;

/// <summary>The report of a load test: its answers, and all its steps on one axis with phases and faults.</summary>
public sealed class LoadReportTests(ChromiumBrowser browser) : FolderTests
{
    [Fact]
    public void The_answers_are_those_of_the_steps_and_not_of_the_fastest_one()
    {
        var answers = Document().Answers;

        Assert.False(answers.Passed);
        Assert.Equal(
            "Aborted: Stopped by the user. Load test ramp on postgresql: failed. 1 of 2 steps passed, 1 failed. high: It "
                + "started 3,100.0 of 5,000.0 operations a second (62.0 %).",
            answers.Outcome
        );
        var speed = Assert.Single(answers.Speeds);
        Assert.Equal(("low", 500), (speed.Scenario, speed.PerSecond));
        var limit = Assert.Single(answers.Limits);
        Assert.Equal(("the processors of the machine", "high"), (limit.Limit, limit.Scenario));
    }

    [Fact]
    public void A_step_that_passed_does_not_speak_for_a_test_that_did_not()
    {
        var document = ReportBuilder.Build([
            RunArtifacts.Read(SyntheticLoad.Write(Root.Path, change: step => step with { LimitedBy = null })),
        ]);

        var limit = Assert.Single(document.Answers.Limits);
        Assert.Equal(("Nothing up to 500 operations/s", "low"), (limit.Limit, limit.Scenario));
        Assert.Contains("The test as a whole did not pass", limit.Evidence);
    }

    [Fact]
    public void A_step_with_few_operations_has_neither_a_throughput_nor_a_p99()
    {
        var document = ReportBuilder.Build([
            RunArtifacts.Read(
                SyntheticLoad.Write(Root.Path, change: step =>
                    step with
                    {
                        Counts = step.Counts with { Completed = 99 },
                        Response = step.Response with { Count = 99 },
                        Kinds = [new("start-only", 1, 99, 99, 0, 5, step.Response with { Count = 99 }, step.Service)],
                    }
                )
            ),
        ]);

        Assert.Empty(document.Answers.Speeds);
        EachItem.Holds(document.LoadTests[0].Steps, step =>
        {
            Assert.Equal((null, null, 90), (step.CompletedPerSecond, step.Response.P99Ms, step.Response.MaxMs));
            Assert.Equal((null, null), (step.Kinds[0].CompletedPerSecond, step.Kinds[0].Response.P99Ms));
        });
    }

    [Fact]
    public void Phases_faults_and_the_abort_are_marked_where_they_were()
    {
        var marks = Document().LoadTests[0].Marks;

        Assert.Contains(new(4, 24, "low", IsMeasured: true), marks);
        Assert.Contains(new(0.3, 4, "warm-up"), marks);
        Assert.Contains(new(24.5, 29.5, "cooldown"), marks);
        Assert.Contains(new(24, 24.5, "drain"), marks);
        Assert.Equal(
            [
                new(41.5, null, "first of 7 errors", IsFault: true),
                new(49.5, null, "stopped as futile", IsFault: true),
                new(58, 66, "after, aborted", IsFault: true, IsMeasured: true),
            ],
            marks.Where(mark => mark.IsFault)
        );
        Assert.Equal(marks.OrderBy(mark => mark.FromSeconds), marks);
    }

    [Fact]
    public void Rates_of_all_steps_stand_on_one_axis_with_gaps_between_them()
    {
        var rates = Document().LoadTests[0].Rates!;

        var (target, completed) = (rates.Panels[0].Curves[0], rates.Panels[0].Curves[1]);
        Assert.Equal(("target", "completed"), (target.Name, completed.Name));
        Assert.Equal(
            [4, 29.5, 58],
            rates
                .Seconds.Zip(completed.Values, target.Values)
                .Where(point => point.Second is null && point.Third is not null)
                .Select(point => point.First)
        );
        Assert.Equal(2, target.Values.Count(value => value is null));
        EachItem.Holds(rates.Seconds.Zip(completed.Values).Where(point => point.First > 30 && point.First < 49), point =>
            Assert.Equal(3_100, point.Second!.Value, 1)
        );
        Assert.Equal((66, 480), (rates.Seconds[^1], completed.Values[^1]));
        Assert.Equal(rates.Seconds.Order(), rates.Seconds);
    }

    [Fact]
    public void Samples_of_all_steps_stand_on_the_same_axis()
    {
        var curves = Document().LoadTests[0].Curves!;

        Assert.Equal((4, 66), (curves.Seconds[0], curves.Seconds[^1]));
        Assert.Equal(21 + 1 + 21 + 1 + 9, curves.Seconds.Count);
        EachItem.Holds(curves.Panels.SelectMany(panel => panel.Curves), curve => Assert.Null(curve.Values[21]));
    }

    [Fact]
    public void A_step_that_failed_has_its_own_curves_too()
    {
        var high = Document().Scenarios.Single(scenario => scenario.Scenario == "ramp-high");

        Assert.NotNull(high.Timeline);
        Assert.Contains(new(20, null, "stopped as futile", IsFault: true), high.Marks);
    }

    [Fact]
    public void Another_run_s_load_test_is_refused()
    {
        var folder = SyntheticLoad.Write(Root.Path);
        var file = Path.Combine(folder, RunFolder.LoadFile);
        File.WriteAllText(file, File.ReadAllText(file).Replace(Path.GetFileName(folder), "another"));

        var error = Assert.Throws<BaselineException>(() => ReportBuilder.Build([RunArtifacts.Read(folder)]));

        Assert.Contains("belongs to another run", error.Message);
    }

    [Fact]
    public async Task The_page_shows_verdicts_phases_and_faults()
    {
        await using var page = await browser.OpenAsync(Path.Combine(SyntheticLoad.Write(Root.Path), RunFolder.PageFile));

        await page.DrawAllAsync();

        Assert.Empty(page.Complaints);
        var section = page.Page.Locator("#load");
        var text = await section.InnerTextAsync();
        Assert.Contains("✗ failed", text);
        Assert.Contains("after, aborted at 66 s", text);
        var drawing = string.Join("|", await section.Locator(".chart").First.Locator("text").AllTextContentsAsync());
        foreach (var label in (string[])["warm-up", "low", "high", "cooldown", "after, aborted", "stopped as futile"])
            Assert.Contains(label, drawing);
        Assert.StartsWith("NOT PASSED", await page.Page.TitleAsync());
    }

    [Fact]
    public async Task The_page_shows_what_each_host_used()
    {
        await using var page = await browser.OpenAsync(Path.Combine(SyntheticLoad.Write(Root.Path), RunFolder.PageFile));

        var hosts = page.Page.GetByRole(Microsoft.Playwright.AriaRole.Region, new() { NameRegex = new("^Hosts of ramp") });

        Assert.Equal(
            ["Step", "Host", "Process", "CPU s", "Memory MiB", "Highest memory MiB", "Connections"],
            (await hosts.Locator("thead th").AllTextContentsAsync()).Take(7)
        );
        Assert.Equal(2, await hosts.Locator("tbody tr").CountAsync());
        Assert.Equal(
            ["low", "2", "4702", "3.00", "90", "120", "12"],
            (await hosts.Locator("tbody tr").Nth(1).Locator("th, td").AllTextContentsAsync()).Take(7)
        );
    }

    [Fact]
    public async Task A_series_is_hidden_and_shown_by_the_keyboard()
    {
        await using var page = await browser.OpenAsync(Path.Combine(SyntheticLoad.Write(Root.Path), RunFolder.PageFile));
        await page.DrawAllAsync();
        var drawing = page.Page.Locator("#load .drawing").First;
        var dashed = drawing.Locator("svg path[stroke-dasharray][fill='none'][stroke-width='1.5']");
        var button = drawing.GetByRole(Microsoft.Playwright.AriaRole.Button, new() { Name = "target" });
        Assert.Equal("true", await button.GetAttributeAsync("aria-pressed"));
        Assert.NotEqual(0, await dashed.CountAsync());

        await button.FocusAsync();
        await page.Page.Keyboard.PressAsync("Space");

        Assert.Equal("false", await button.GetAttributeAsync("aria-pressed"));
        Assert.Equal(0, await dashed.CountAsync());
        await page.Page.Locator("button.theme").ClickAsync();
        Assert.Equal(0, await dashed.CountAsync());

        await button.FocusAsync();
        await page.Page.Keyboard.PressAsync("Enter");

        Assert.Equal("true", await button.GetAttributeAsync("aria-pressed"));
        Assert.NotEqual(0, await dashed.CountAsync());
        Assert.Empty(page.Complaints);
    }

    [Fact]
    public void Without_the_page_tables_say_the_same()
    {
        using var writer = new StringWriter();

        HtmlTables.Write(writer, Document());

        Assert.Contains("Steps of ramp on postgresql", writer.ToString());
        Assert.Contains("FAULT: after, aborted", writer.ToString());
        Assert.Contains("Hosts of ramp on postgresql", writer.ToString());
        Assert.Contains(
            "<td>low</td><td class=\"n\">2</td><td class=\"n\">4702</td><td class=\"n\">3.00</td><td class=\"n\">90</td>",
            writer.ToString()
        );
    }

    [Fact]
    public void A_pull_request_gets_the_steps()
    {
        using var writer = new StringWriter();

        PullRequestMarkdown.Write(writer, Document());

        Assert.Contains("## Steps of ramp on postgresql", writer.ToString());
        Assert.Matches(@"\| high +\| failed +\| +5,000", writer.ToString());
    }

    private ReportDocument Document() => ReportBuilder.Build([RunArtifacts.Read(SyntheticLoad.Write(Root.Path))]);
}

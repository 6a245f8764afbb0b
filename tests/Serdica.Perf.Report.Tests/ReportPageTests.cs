using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Report.Tests;

public sealed class ReportPageTests(ChromiumBrowser browser) : FolderTests
{
    /// <summary>The least that WCAG 2.2 asks for text.</summary>
    private const double LeastContrast = 4.5;

    [Fact]
    public async Task The_page_opens_without_a_network_asks_for_nothing_and_complains_of_nothing()
    {
        await using var page = await browser.OpenAsync(Report());

        await page.DrawAllAsync();

        Assert.Empty(page.Requests);
        Assert.Empty(page.Complaints);
        Assert.StartsWith("Passed: ", await page.Page.TitleAsync());
    }

    [Fact]
    public async Task The_first_screen_says_whether_it_passed_how_fast_what_limits_it_and_what_changed()
    {
        await using var page = await browser.OpenAsync(Report());

        var answers = page.Page.Locator("#answers");
        Assert.Equal(
            ["Did it pass?", "How fast?", "What limits it?", "What changed?"],
            await answers.Locator("h2").AllInnerTextsAsync(),
            StringComparer.OrdinalIgnoreCase
        );
        Assert.Contains("Passed", await answers.InnerTextAsync());
        Assert.Contains("8,300", await answers.InnerTextAsync());
        Assert.Contains("An operation is a round trip: start an instance, wait, signal it, completion.", await answers.InnerTextAsync());
        var box = (await answers.BoundingBoxAsync())!;
        Assert.InRange(box.Y + box.Height, 0, 900);
    }

    [Fact]
    public async Task Every_chart_is_drawn_with_lines_or_bars()
    {
        await using var page = await browser.OpenAsync(Report());

        await page.DrawAllAsync();

        Assert.Equal(8, await page.Charts.CountAsync());
        for (var index = 0; index < await page.Charts.CountAsync(); index++)
        {
            var shapes = page.Charts.Nth(index).Locator("svg path[stroke]:not([stroke='none']), svg path[fill]:not([fill='none'])");
            Assert.True(await shapes.CountAsync() > 5, $"Chart {index} has hardly anything in it.");
        }
    }

    [Fact]
    public async Task Few_operations_have_a_sentence_in_place_of_their_percentile_curve()
    {
        var run = SyntheticRun.Write(Root.Path, FromSeconds(9), 10);
        await using var page = await browser.OpenAsync(Path.Combine(run, RunFolder.PageFile));

        await page.DrawAllAsync();

        var latency = page.Page.Locator("#latency");
        Assert.Contains("There are too few operations for a curve", await latency.InnerTextAsync());
        Assert.Equal(1, await latency.Locator(".chart").CountAsync());
        await latency.Locator("figure.missing summary").ClickAsync();
        Assert.Contains("90", await latency.Locator("figure.missing tbody").InnerTextAsync());
        Assert.Empty(page.Complaints);
    }

    [Fact]
    public async Task Every_panel_shows_the_unit_of_its_values_under_the_mouse()
    {
        var run = Run();
        await using var page = await browser.OpenAsync(Path.Combine(run, RunFolder.PageFile));
        await page.DrawAllAsync();

        Assert.Empty(await page.HoverAllAsync());

        // The library lays what comes up over everything else, and leaves its text when it is hidden.
        var shown = await page
            .Page.Locator("#over-time .chart")
            .Last.Locator("div")
            .EvaluateAllAsync<string>("parts => parts.filter(part => part.style.zIndex > 1000).map(part => part.textContent).join()");
        var panels = ReportBuilder.Build([RunArtifacts.Read(run)]).Scenarios.Single(scenario => scenario.Curves is not null).Curves!.Panels;
        EachItem.Holds(panels.Select(panel => panel.Unit).Where(unit => unit != "number"), unit =>
            Assert.Matches($"[0-9] {Regex.Escape(unit)}", shown)
        );
    }

    [Fact]
    public async Task Behind_every_chart_is_a_table_that_a_keyboard_opens()
    {
        await using var page = await browser.OpenAsync(Report());

        var figures = page.Page.Locator("figure:has(.chart)");
        for (var index = 0; index < await figures.CountAsync(); index++)
        {
            var figure = figures.Nth(index);
            await figure.Locator("summary").FocusAsync();
            await page.Page.Keyboard.PressAsync("Enter");

            await figure.Locator("details[open] table").WaitForAsync();
            Assert.True(await figure.Locator("tbody tr").CountAsync() > 0);
            Assert.NotEmpty(await figure.Locator(".chart").GetAttributeAsync("aria-label") ?? "");
        }
    }

    [Fact]
    public async Task The_keyboard_reaches_everything_in_order_and_changes_what_is_shown()
    {
        await using var page = await browser.OpenAsync(Report());

        await page.Page.Keyboard.PressAsync("Tab");
        Assert.Equal("Skip to the scenarios", await FocusedAsync(page));
        await page.Page.Keyboard.PressAsync("Tab");
        Assert.Equal("Colours: system", await FocusedAsync(page));
        await page.Page.Keyboard.PressAsync("Enter");
        await page.Page.Keyboard.PressAsync("Enter");
        Assert.Equal("Colours: dark", await FocusedAsync(page));
        Assert.Equal("dark", await page.Page.Locator("html").GetAttributeAsync("data-theme"));

        var cost = page.Page.Locator("#cost");
        await cost.Locator("select").FocusAsync();
        await page.Page.Keyboard.PressAsync("ArrowDown");
        await cost.Locator("figcaption", new() { HasText = "writing commits" }).WaitForAsync();
    }

    [Theory]
    [InlineData(ColorScheme.Light)]
    [InlineData(ColorScheme.Dark)]
    public async Task Texts_can_be_read_in_light_and_dark(ColorScheme colours)
    {
        await using var page = await browser.OpenAsync(Report(), colours);

        var contrasts = await page.Page.EvaluateAsync<double[]>(
            """
            () => {
              const style = getComputedStyle(document.documentElement);
              const light = name => {
                const text = style.getPropertyValue(`--${name}`).trim().slice(1);
                const hex = text.length === 3 ? [...text].map(digit => digit + digit).join('') : text;
                const [r, g, b] = [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16) / 255)
                  .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const contrast = (one, other) => { const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
                return (high + 0.05) / (low + 0.05); };
              return ['text', 'quiet', 'accent', 'good', 'bad', 'warn']
                .flatMap(name => ['surface', 'background'].map(behind => contrast(name, behind)));
            }
            """
        );

        EachItem.Holds(contrasts, contrast => Assert.InRange(contrast, LeastContrast, 21));
        Assert.Equal(colours == ColorScheme.Dark ? "dark" : "light", await page.Page.Locator("html").GetAttributeAsync("data-theme"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task On_a_telephone_nothing_is_wider_than_the_screen_or_over_something_else(bool isLoad)
    {
        const int Width = 390;
        await using var page = await browser.OpenAsync(
            isLoad ? Path.Combine(SyntheticLoad.Write(Root.Path), RunFolder.PageFile) : Report(),
            width: Width
        );

        await page.DrawAllAsync();

        Assert.Equal(Width, await page.Page.EvaluateAsync<int>("() => document.documentElement.scrollWidth"));
        var overlaps = await page.Page.EvaluateAsync<string[]>(
            """
            () => [...document.querySelectorAll('.legend.inside')].flatMap(legend => {
              const box = legend.getBoundingClientRect();
              return [...legend.closest('.drawing').querySelectorAll('svg text')].filter(text => {
                const other = text.getBoundingClientRect();
                return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
              }).map(text => `${legend.textContent} over ${text.textContent}`);
            })
            """
        );
        Assert.Empty(overlaps);
    }

    [Fact]
    public async Task On_paper_all_charts_are_drawn_and_light()
    {
        await using var page = await browser.OpenAsync(Report(), ColorScheme.Dark);

        var paper = await page.Page.PdfAsync(new() { Format = "A4" });

        Assert.Equal(await page.Charts.CountAsync(), await page.Page.Locator(".chart[data-drawn]").CountAsync());
        Assert.Equal("%PDF"u8.ToArray(), paper[..4]);
        Assert.Equal("dark", await page.Page.Locator("html").GetAttributeAsync("data-theme"));
    }

    [Fact]
    public async Task What_was_measured_never_becomes_a_tag_or_a_script()
    {
        const string Evil = "</script><img src=x onerror=\"window.taken = true\"><script>window.taken = true</script>";
        await using var page = await browser.OpenAsync(
            Report(run =>
                run with
                {
                    Command = Evil,
                    StatusReason = Evil,
                    Warnings = [new(Evil, Evil, Evil)],
                    NotMeasured = [new(Evil, Evil)],
                }
            )
        );

        await page.DrawAllAsync();

        Assert.False(await page.Page.EvaluateAsync<bool>("() => 'taken' in window"));
        Assert.Equal(0, await page.Page.Locator("img").CountAsync());
        Assert.Contains(Evil, await page.Page.Locator("#environment").InnerTextAsync());
        Assert.Empty(page.Complaints);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task No_text_of_any_field_becomes_a_tag_under_the_mouse_either(bool isLoad)
    {
        var file = Root.Below("evil.html");
        await File.WriteAllTextAsync(
            file,
            EvilText.PageOf(
                isLoad ? ReportBuilder.Build([RunArtifacts.Read(SyntheticLoad.Write(Root.Path))]) : ShownPages.Comparison(Root.Path)
            ),
            Token
        );
        await using var page = await browser.OpenAsync(file);

        await page.DrawAllAsync();
        var without = await page.HoverAllAsync();

        Assert.NotEqual(0, await page.Charts.CountAsync());
        Assert.Empty(without);
        Assert.False(await page.Page.EvaluateAsync<bool>("() => 'taken' in window"));
        Assert.Equal(0, await page.Page.Locator("img").CountAsync());
        Assert.Empty(page.Complaints);
    }

    [Fact]
    public async Task No_text_of_a_document_in_which_every_field_is_set_becomes_a_tag_either()
    {
        var file = Root.Below("evil.html");
        await File.WriteAllTextAsync(file, EvilText.PageOf(EvilObject.Of<ReportDocument>(variant: 1)), Token);
        await using var page = await browser.OpenAsync(file);

        await page.DrawAllAsync();
        await page.HoverAllAsync();

        Assert.NotEqual(0, await page.Charts.CountAsync());
        Assert.False(await page.Page.EvaluateAsync<bool>("() => 'taken' in window"));
        Assert.Equal(0, await page.Page.Locator("img").CountAsync());
        Assert.Empty(page.Complaints);
    }

    /// <summary>Whatever got into the page by a way that nobody has seen would still not run.</summary>
    [Fact]
    public async Task The_page_runs_no_script_but_its_own_and_loads_nothing()
    {
        await using var page = await browser.OpenAsync(Report());

        await page.Page.EvaluateAsync(
            "() => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.taken = true\"><a id=bait "
                + "href=\"javascript:window.taken = true\">x</a>')"
        );
        await page.Page.EvaluateAsync(
            "() => { const script = document.createElement('script'); script.textContent = 'window.taken = true'; "
                + "document.body.append(script); }"
        );
        await page.Page.EvaluateAsync("() => document.getElementById('bait').click()");

        Assert.False(await page.Page.EvaluateAsync<bool>("() => 'taken' in window"));
        Assert.Empty(page.Requests);
        Assert.Contains(page.Complaints, complaint => complaint.Contains("Content Security Policy"));
    }

    [Fact]
    public async Task A_comparison_shows_what_got_worse_first()
    {
        var before = BaselineReader.Read(Run());
        var after = before with
        {
            Scenarios = [.. before.Scenarios.Select(scenario => scenario with { DurationMs = scenario.DurationMs * 3 })],
        };
        await using var page = await browser.OpenAsync(
            Write(
                ReportBuilder.Build(
                    [new RunArtifacts(ShownPages.Repeated(after), null)],
                    RunComparer.Compare(ShownPages.Repeated(before), ShownPages.Repeated(after), ComparisonSettings.Default)
                )
            )
        );

        await page.DrawAllAsync();

        Assert.Contains("Worse", await page.Page.Locator("#answers").InnerTextAsync());
        Assert.Empty(page.Complaints);
        await page.Page.Locator("#comparison summary").ClickAsync();
        Assert.Contains("slower", await page.Page.Locator("#comparison tbody").InnerTextAsync());
        Assert.StartsWith("Regressed: ", await page.Page.TitleAsync());
    }

    [Fact]
    public async Task A_trend_is_drawn_with_its_change_points()
    {
        var points = Range(0, 40)
            .Select(day => new ReportTrendPoint(
                $"{day:x40}",
                new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddDays(day),
                day < 25 ? 1_000 + day % 3 : 800 + day % 3
            ))
            .ToArray();
        await using var page = await browser.OpenAsync(
            Write(
                ReportBuilder.Build(
                    [RunArtifacts.Read(Run())],
                    trends: [new ReportTrend("postgresql-long-soak throughput", "op/s", points, [25])]
                )
            )
        );

        await page.DrawAllAsync();

        Assert.Contains("40 commits, 1 change point", await page.Page.Locator("#trend").InnerTextAsync());
        Assert.Empty(page.Complaints);
    }

    [Fact]
    public async Task A_run_of_an_old_version_says_what_it_does_not_have()
    {
        await using var page = await browser.OpenAsync(Write(ReportBuilder.Build([new RunArtifacts(BaselineReader.Read(Run()), null)])));

        await page.DrawAllAsync();

        Assert.Contains("There are no raw histograms", await page.Page.Locator("#latency").InnerTextAsync());
        Assert.Contains("Latencies by interval are not in this run", await page.Page.Locator("#over-time").InnerTextAsync());
        Assert.Contains("There are no samples", await page.Page.Locator("#over-time").InnerTextAsync());
        Assert.Empty(page.Complaints);
    }

    [Fact]
    public async Task Hosts_generator_and_database_of_a_run_have_a_row_each()
    {
        await using var page = await browser.OpenAsync(Report(ShownPages.WithHosts));

        var rows = page.Page.Locator("#hosts tbody tr");

        Assert.Equal(4, await rows.CountAsync());
        Assert.Equal(
            ["host 2", "4702", "3.00", "90", "120", "12", "5,000"],
            (await rows.Nth(1).Locator("td").AllTextContentsAsync()).Take(7)
        );
        Assert.Equal(["generator", "4700", "2.50", "80", "85", "3", "–"], (await rows.Nth(2).Locator("td").AllTextContentsAsync()).Take(7));
        Assert.Equal(["database", "–", "9.00", "400", "–", "26", "–"], (await rows.Nth(3).Locator("td").AllTextContentsAsync()).Take(7));
        Assert.Empty(page.Complaints);
    }

    [Fact]
    public void Hosts_generator_and_database_have_a_row_each_without_the_page_too()
    {
        using var writer = new StringWriter();

        HtmlTables.Write(writer, ReportBuilder.Build([new RunArtifacts(ShownPages.WithHosts(BaselineReader.Read(Run())), null)]));

        Assert.Contains("<h2>Hosts, generator and database</h2>", writer.ToString());
        Assert.Contains("<td>host 2</td><td class=\"n\">4702</td><td class=\"n\">3.00</td>", writer.ToString());
        Assert.Contains("<td>database</td><td class=\"n\">–</td><td class=\"n\">9.00</td>", writer.ToString());
    }

    private static Task<string> FocusedAsync(ObservedPage page) =>
        page.Page.EvaluateAsync<string>("() => document.activeElement.textContent")!;

    private string Report(Func<RunResult, RunResult>? change = null) => Path.Combine(Run(change), RunFolder.PageFile);

    /// <summary>Two minutes, so that each test can have its own.</summary>
    private string Run(Func<RunResult, RunResult>? change = null) => SyntheticRun.Write(Root.Path, FromMinutes(2), 200, change);

    private string Write(ReportDocument document)
    {
        var file = Root.Below("document.html");
        using var writer = File.CreateText(file);
        HtmlReport.Write(writer, document);
        return file;
    }
}

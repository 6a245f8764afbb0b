using Serdica.Perf.Cli.Tests;

namespace Serdica.Perf.Report.Tests;

/// <summary>
/// Every section of every page on a screen and on a telephone, light and dark: all is drawn, nothing is cut off, overlaps, is too small or
/// too pale, and no stretch is empty. With <c>SERDICA_PERF_PICTURES=FOLDER</c> each section becomes a picture in the folder.
/// </summary>
public sealed class PagePicturesTests(ChromiumBrowser browser) : FolderTests
{
    private const string FolderVariable = "SERDICA_PERF_PICTURES";

    /// <summary>A mistake of each kind, and what is said of it.</summary>
    private static readonly (string Problem, string Mistake)[] Mistakes =
    [
        ("wider than the screen: \"far out\"", "<p style='margin-left:1400px'>far out</p>"),
        ("cut off: \"a long text\"", "<p style='width:20px;overflow:hidden;white-space:nowrap'>a long text</p>"),
        ("\"one\" over \"another\"", "<p style='height:0;margin:0'>one</p><p style='margin:0'>another</p>"),
        ("8.0 px small: \"tiny\"", "<p style='font-size:8px'>tiny</p>"),
        ("contrast 1.61: \"pale\"", "<p style='background:#fff;color:#ccc'>pale</p>"),
        ("a hole of ", "<p style='margin-top:600px'>far below</p>"),
        ("broken within \"throughput\"", "<p style='width:3em;overflow-wrap:anywhere'>throughput</p>"),
        ("a row of ", "<table><tr><td style='height:900px'>high</td></tr></table>"),
        ("cut off in its field: \"a long choice\"", "<select style='width:60px'><option>a long choice</select>"),
        ("shortened: \"a name...\"", "<svg height='20'><text y='15' fill='#000'>a name...</text></svg>"),
        ("cut off: \"beside\"", "<svg width='40' height='20'><text x='30' y='15'>beside</text></svg>"),
        (
            "contrast 1.00: \"on a bar\"",
            "<svg height='20'><path d='M0 0H200V20H0Z' fill='#777'/><text y='15' fill='#777'>on a bar</text></svg>"
        ),
    ];

    public static TheoryData<string, int> Pages => new(from name in ShownPages.Names from width in (int[])[1280, 390] select (name, width));

    [Theory]
    [MemberData(nameof(Pages))]
    public async Task Every_section_can_be_read(string name, int width)
    {
        await using var served = name == ShownPages.Served ? await ServeAsync() : null;
        var address = served?.Server.Address is { } server ? new Uri(server) : new Uri(await ShownPages.WriteAsync(name, Root.Path));
        await using var page = await browser.OpenAsync(address, width: width);
        await page.DrawAllAsync();
        var problems = new List<string>();

        foreach (var colours in (ColorScheme[])[ColorScheme.Light, ColorScheme.Dark])
        {
            await page.ChangeAsync(colours);
            var sections = await PageSection.ReadAsync(page.Page);
            problems.AddRange(Found(sections, colours.ToString()));
            foreach (var section in sections)
                await PictureAsync(page.Page, section, $"{name}-{section.Name}-{width}-{colours.ToString().ToLowerInvariant()}.png");
        }

        await page.Page.EvaluateAsync("() => document.querySelectorAll('details').forEach(one => { one.open = true; })");
        await page.ChangeAsync(ColorScheme.Light);
        problems.AddRange(Found(await PageSection.ReadAsync(page.Page), "opened"));

        Assert.True(problems.Count == 0, string.Join('\n', problems.Distinct()));
        Assert.Empty(page.Complaints);
    }

    [Fact]
    public async Task A_mistake_of_each_kind_is_found_where_it_is_planted_into_a_page_that_has_none()
    {
        var file = Root.Below("small.html");
        await using (var writer = File.CreateText(file))
            HtmlPage.Write(writer, "Small", () => writer.Write("<h1>Small</h1><div id='planted'></div>"));
        await using var page = await browser.OpenAsync(file);
        Assert.Empty(Found(await PageSection.ReadAsync(page.Page), ""));

        foreach (var (problem, mistake) in Mistakes)
        {
            await page.Page.EvaluateAsync("html => { document.getElementById('planted').innerHTML = html; }", mistake);

            var found = Found(await PageSection.ReadAsync(page.Page), "").ToArray();
            Assert.True(found.Any(one => one.Contains(problem)), $"{problem} is not found, but {string.Join(", ", found)}.");
        }
    }

    private async Task<ServedFolder> ServeAsync()
    {
        await ShownPages.WriteServedAsync(Root.Path);
        return new(Root.Path);
    }

    private static IEnumerable<string> Found(IReadOnlyList<PageSection> sections, string state) =>
        from section in sections
        from problem in section.Problems
        select $"{section.Name}, {state}: {problem}";

    private static async Task PictureAsync(IPage page, PageSection section, string name)
    {
        if (Environment.GetEnvironmentVariable(FolderVariable) is not { Length: > 0 } folder)
            return;
        Directory.CreateDirectory(folder);
        await section.WritePictureAsync(page, Path.Combine(folder, name));
    }
}

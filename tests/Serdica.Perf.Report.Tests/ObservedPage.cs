namespace Serdica.Perf.Report.Tests;

/// <summary>A report in a browser without a network.</summary>
public sealed class ObservedPage : IAsyncDisposable
{
    private readonly IBrowserContext _context;
    private readonly List<string> _complaints = [];
    private readonly List<string> _requests = [];

    private ObservedPage(IBrowserContext context, IPage page) => (_context, Page) = (context, page);

    public IPage Page { get; }

    /// <summary>Errors and warnings of console and script.</summary>
    public IReadOnlyList<string> Complaints => _complaints;

    /// <summary>What was asked for beyond the file itself; all of it was refused.</summary>
    public IReadOnlyList<string> Requests => _requests;

    public ILocator Charts => Page.Locator(".chart");

    internal static async Task<ObservedPage> OpenAsync(IBrowserContext context, string address)
    {
        var observed = new ObservedPage(context, await context.NewPageAsync());
        var page = observed.Page;
        page.Console += (_, message) =>
        {
            if (message.Type is "error" or "warning")
                observed._complaints.Add(message.Text);
        };
        page.PageError += (_, error) => observed._complaints.Add(error);
        await page.RouteAsync("**/*", route =>
        {
            if (route.Request.Url == address)
                return route.ContinueAsync();
            observed._requests.Add(route.Request.Url);
            return route.AbortAsync();
        });
        await page.GotoAsync(address);
        return observed;
    }

    /// <summary>Brings each chart into sight, and returns when all are drawn. A page without a script has drawn them already.</summary>
    public async Task DrawAllAsync()
    {
        if (await Page.Locator("script").CountAsync() == 0)
            return;
        for (var index = 0; index < await Charts.CountAsync(); index++)
        {
            await Charts.Nth(index).ScrollIntoViewIfNeededAsync();
            await Page.Locator($":nth-match(.chart, {index + 1})[data-drawn] svg").WaitForAsync();
        }
    }

    /// <summary>Changes the colours as the system does, and returns when they are drawn.</summary>
    public async Task ChangeAsync(ColorScheme colours)
    {
        await Page.EmulateMediaAsync(new() { ColorScheme = colours });
        await Page.EvaluateAsync("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))");
    }

    /// <summary>Moves the mouse over each chart, and returns the charts over which no tooltip came up.</summary>
    public async Task<IReadOnlyList<string>> HoverAllAsync()
    {
        var without = new List<string>();
        for (var index = 0; index < await Charts.CountAsync(); index++)
        {
            var chart = Charts.Nth(index);
            await chart.ScrollIntoViewIfNeededAsync();
            if (!await (index == 0 ? HoverAsync(chart) : chart.EvaluateAsync<bool>(Hover)))
                without.Add(
                    await chart.EvaluateAsync<string>(
                        "chart => chart.closest('section')?.id + ': ' + (chart.getAttribute('aria-label') ?? chart.id)"
                    )
                );
        }

        return without;
    }

    /// <summary>The library lays what comes up over everything else.</summary>
    private const string Tooltip =
        "parts => parts.some(part => part.style.zIndex > 1000 && part.style.visibility !== 'hidden' && part.textContent !== '')";

    /// <summary>Where marks are drawn, and a coarse grid for what answers to the whole plot.</summary>
    private const string Places = """
        chart => {
          const box = chart.getBoundingClientRect();
          const marks = [...chart.querySelectorAll('svg path')].map(mark => mark.getBoundingClientRect())
            .filter(mark => mark.width > 2 && mark.width < 30 && mark.height > 2 && mark.height < 30)
            .map(mark => [mark.x + mark.width / 2, mark.y + mark.height / 2]);
          const grid = Array.from({ length: 200 }, (_, place) =>
            [box.x + box.width * (place % 20 + 0.5) / 20, box.y + box.height * (Math.floor(place / 20) + 0.5) / 10]);
          return [...marks, ...grid];
        }
        """;

    /// <summary>What the browser makes of a mouse, in one call: the page itself is asked for two things at each of the places.</summary>
    private const string Hover = $$"""
        async chart => {
          const isShown = {{Tooltip}};
          for (const [clientX, clientY] of ({{Places}})(chart)) {
            document.elementFromPoint(clientX, clientY)
              ?.dispatchEvent(new MouseEvent('mousemove', { clientX, clientY, bubbles: true, composed: true, view: window }));
            if (isShown([...chart.querySelectorAll('div')])) return true;
          }
          return false;
        }
        """;

    /// <summary>With the mouse itself.</summary>
    private async Task<bool> HoverAsync(ILocator chart)
    {
        foreach (var place in await chart.EvaluateAsync<float[][]>(Places))
        {
            await Page.Mouse.MoveAsync(place[0], place[1]);
            if (await chart.Locator("div").EvaluateAllAsync<bool>(Tooltip))
                return true;
        }

        return false;
    }

    public async ValueTask DisposeAsync() => await _context.DisposeAsync();
}

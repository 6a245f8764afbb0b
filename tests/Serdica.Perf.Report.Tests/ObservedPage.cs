using Microsoft.Playwright;

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

    /// <summary>Brings each chart into sight, and returns when all are drawn.</summary>
    public async Task DrawAllAsync()
    {
        for (var index = 0; index < await Charts.CountAsync(); index++)
        {
            await Charts.Nth(index).ScrollIntoViewIfNeededAsync();
            await Page.Locator($":nth-match(.chart, {index + 1})[data-drawn] svg").WaitForAsync();
        }
    }

    /// <summary>Moves the mouse over each chart, and returns over how many of them something came up.</summary>
    public async Task<int> HoverAllAsync()
    {
        var shown = 0;
        for (var index = 0; index < await Charts.CountAsync(); index++)
        {
            var chart = Charts.Nth(index);
            await chart.ScrollIntoViewIfNeededAsync();
            shown += await HoverAsync(chart) ? 1 : 0;
        }

        return shown;
    }

    /// <summary>The library lays what comes up over everything else.</summary>
    private const string Tooltip = "parts => parts.some(part => part.style.zIndex > 1000 && part.style.visibility !== 'hidden' && part.textContent !== '')";

    private async Task<bool> HoverAsync(ILocator chart)
    {
        var box = (await chart.BoundingBoxAsync())!;
        const int Columns = 100;
        const int Rows = 40;
        for (var step = 0; step < Columns * Rows; step++)
        {
            // Close together, so that small points are met too.
            await Page.Mouse.MoveAsync(box.X + box.Width * (step % Columns + 0.5f) / Columns, box.Y + box.Height * (step / Columns + 0.5f) / Rows);
            if (await chart.Locator("div").EvaluateAllAsync<bool>(Tooltip))
                return true;
        }

        return false;
    }

    public async ValueTask DisposeAsync() => await _context.DisposeAsync();
}

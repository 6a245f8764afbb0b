using Serdica.Perf.Report.Tests;

[assembly: AssemblyFixture(typeof(ChromiumBrowser))]

namespace Serdica.Perf.Report.Tests;

/// <summary>The Chromium of this machine, without a network. A machine without one skips the tests with a sentence.</summary>
public sealed class ChromiumBrowser : IAsyncLifetime
{
    private const string PathVariable = "SERDICA_PERF_CHROMIUM";
    private const string RequireVariable = "SERDICA_PERF_REQUIRE";

    private static readonly string[] Places =
    [
        "/usr/bin/chromium-headless-shell",
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        @"C:\Program Files\Google\Chrome\Application\chrome.exe",
    ];

    private static readonly float Patience = (float)HangGuard.Limit.TotalMilliseconds;

    private IPlaywright? _playwright;
    private IBrowser? _browser;

    public async ValueTask InitializeAsync()
    {
        if (Missing() is not null || Program() is not { } program)
            return;

        _playwright = await Playwright.CreateAsync();
        _browser = await _playwright.Chromium.LaunchAsync(
            new()
            {
                ExecutablePath = program,
                Headless = true,
                Timeout = Patience,
                Args =
                [
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                ],
            }
        );
    }

    /// <summary>A page that is offline and notes what it asks for beyond its own file, and what it complains of.</summary>
    public Task<ObservedPage> OpenAsync(string file, ColorScheme colours = ColorScheme.Light, int width = 1280) =>
        OpenAsync(new Uri(file), colours, width);

    /// <summary>Opens a file without a network, or a page of a server on the loopback address.</summary>
    public async Task<ObservedPage> OpenAsync(Uri address, ColorScheme colours = ColorScheme.Light, int width = 1280)
    {
        if (_browser is null)
            SkipOrFail(Missing()!);
        var context = await _browser!.NewContextAsync(
            new() { Offline = address.IsFile, ColorScheme = colours, ViewportSize = new() { Width = width, Height = 900 } }
        );
        context.SetDefaultTimeout(Patience);
        return await ObservedPage.OpenAsync(context, address.AbsoluteUri);
    }

    public async ValueTask DisposeAsync()
    {
        if (_browser is not null)
            await _browser.DisposeAsync();
        _playwright?.Dispose();
    }

    private static string? Missing() =>
        !HtmlReport.HasCharts
            ? "This build has no page with charts: it was made without Node 20.19 or newer, or npm could not get the packages."
        : Program() is null
            ? $"No Chromium was found: install it (Debian and Ubuntu: apt-get install chromium), or name its program in {PathVariable}."
        : null;

    private static string? Program() =>
        Environment.GetEnvironmentVariable(PathVariable) is { Length: > 0 } named ? named : Places.FirstOrDefault(File.Exists);

    private static void SkipOrFail(string sentence)
    {
        var required = (Environment.GetEnvironmentVariable(RequireVariable) ?? "").Split(',', TrimEntries);
        if (required.Contains("chromium"))
            Assert.Fail(sentence);
        Assert.Skip(sentence);
    }
}

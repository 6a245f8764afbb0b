using System.Net;

namespace Serdica.Perf.Cli.Tests;

/// <summary>
/// Headers by which a browser keeps to itself what a run folder holds. Run folders come from elsewhere, so every answer has
/// them, also one that reports an error.
/// </summary>
public sealed class ServeHeaderTests : IAsyncLifetime
{
    private readonly Cli _cli = new();
    private ServedFolder _served = null!;

    public ValueTask InitializeAsync()
    {
        AddRun("20260101T000000Z-one");
        _served = new ServedFolder(_cli.Folder);
        return ValueTask.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await _served.DisposeAsync();
        _cli.Dispose();
    }

    [Theory]
    [InlineData("GET", "", HttpStatusCode.OK, "text/html")]
    [InlineData("HEAD", "", HttpStatusCode.OK, "text/html")]
    [InlineData("GET", "runs/20260101T000000Z-one/summary.md", HttpStatusCode.OK, "text/markdown")]
    [InlineData("GET", "runs/20260101T000000Z-one/summary.json", HttpStatusCode.OK, "application/json")]
    [InlineData("GET", "runs/20260101T000000Z-one", HttpStatusCode.NotFound, "text/plain")]
    [InlineData("GET", "runs/20260101T000000Z-one/run.log", HttpStatusCode.NotFound, "text/plain")]
    [InlineData("GET", "nothing", HttpStatusCode.NotFound, "text/plain")]
    [InlineData("POST", "", HttpStatusCode.MethodNotAllowed, "text/plain")]
    public async Task Every_answer_has_the_headers_that_guard_it(string method, string path, HttpStatusCode status, string type)
    {
        using var answer = await AskAsync(method, path);

        Assert.Equal(
            (status, type, "utf-8"),
            (answer.StatusCode, answer.Content.Headers.ContentType!.MediaType, answer.Content.Headers.ContentType.CharSet)
        );
        Assert.Equal("nosniff", Header(answer, "X-Content-Type-Options"));
        Assert.Equal("no-store", Header(answer, "Cache-Control"));
        var policy = Header(answer, "Content-Security-Policy").Split(';', TrimEntries);
        Assert.Equal(
            [
                "default-src 'none'",
                "form-action 'self'",
                "frame-ancestors 'none'",
                "img-src data:",
                "script-src 'unsafe-inline'",
                "style-src 'unsafe-inline'",
            ],
            policy.Order(StringComparer.Ordinal)
        );
        Assert.False(answer.Headers.Contains("Access-Control-Allow-Origin"));
    }

    [Fact]
    public async Task Head_has_the_length_of_the_page_and_no_page()
    {
        using var page = await AskAsync("GET", "");
        using var head = await AskAsync("HEAD", "");

        Assert.Equal((await page.Content.ReadAsByteArrayAsync(Token)).LongLength, head.Content.Headers.ContentLength);
        Assert.Empty(await head.Content.ReadAsByteArrayAsync(Token));
    }

    /// <summary>Names begin with their time, so that the order of names is that of time.</summary>
    [Fact]
    public async Task Newest_run_is_the_first_and_one_without_summary_is_none()
    {
        AddRun("20260301T000000Z-three");
        AddRun("20260201T000000Z-two");
        Directory.CreateDirectory(Path.Combine(_cli.Folder, "20260401T000000Z-unfinished"));

        using var answer = await AskAsync("GET", "");
        var page = await answer.Content.ReadAsStringAsync(Token);

        string[] names = ["20260301T000000Z-three", "20260201T000000Z-two", "20260101T000000Z-one"];
        var places = names.Select(name => page.IndexOf(name)).ToArray();
        Assert.DoesNotContain(-1, places);
        Assert.Equal(places.Order(), places);
        Assert.DoesNotContain("unfinished", page);
    }

    private static string Header(HttpResponseMessage answer, string name) => Assert.Single(answer.Headers.GetValues(name));

    private Task<HttpResponseMessage> AskAsync(string method, string path) =>
        _served.Client.SendAsync(
            new(new HttpMethod(method), new Uri(path, UriKind.Relative)),
            HttpCompletionOption.ResponseContentRead,
            Token
        );

    /// <summary>Adds a run whose summary cannot be read, which is enough for its row and for its files.</summary>
    private void AddRun(string name)
    {
        var folder = Path.Combine(_cli.Folder, name);
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, "summary.json"), "[]");
        File.WriteAllText(Path.Combine(folder, "summary.md"), "# Summary");
    }
}

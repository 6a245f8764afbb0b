namespace Serdica.Perf.Report.Tests;

/// <summary>A section of a page: where it is in the whole page, and what is wrong in its layout.</summary>
/// <param name="Name">Its id, or its heading in small letters.</param>
/// <param name="X">The left edge, in pixels.</param>
/// <param name="Problems">What a reader would stumble over, one phrase each, by the rules in <c>PageLayout.js</c>.</param>
internal sealed record PageSection(string Name, float X, float Y, float Width, float Height, IReadOnlyList<string> Problems)
{
    private static readonly string Rules = ReadRules();

    public static async Task<IReadOnlyList<PageSection>> ReadAsync(IPage page)
    {
        await page.EvaluateAsync("() => scrollTo(0, 0)");
        return JsonSerializer.Deserialize<PageSection[]>(await page.EvaluateAsync<string>(Rules), JsonSerializerOptions.Web)!;
    }

    public Task<byte[]> WritePictureAsync(IPage page, string file) =>
        page.ScreenshotAsync(new() { Path = file, FullPage = true, Clip = new() { X = X, Y = Y, Width = Width, Height = Height } });

    private static string ReadRules()
    {
        using var reader = new StreamReader(typeof(PageSection).Assembly.GetManifestResourceStream("PageLayout.js")!);
        return reader.ReadToEnd();
    }
}

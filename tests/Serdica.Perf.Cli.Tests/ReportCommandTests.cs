namespace Serdica.Perf.Cli.Tests;

public sealed class ReportCommandTests : CliTests
{
    [Fact]
    public async Task A_run_leaves_its_page_and_its_CSV_in_its_folder()
    {
        await RunAsync();

        Assert.StartsWith("<!doctype html>", Cli.Written("report.html"), OrdinalIgnoreCase);
        Assert.Equal(2, File.ReadAllLines(Cli.PathOf("summary.csv")).Length);
        Assert.Contains(Directory.GetFiles(Cli.PathOf("histograms")), file => file.EndsWith(".intervals.json"));
    }

    [Fact]
    public async Task The_report_of_one_run_is_written_into_its_folder()
    {
        await RunAsync();
        var page = Cli.PathOf("report.html");
        File.Delete(page);

        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("report", Cli.RunFolder));

        Assert.Contains($"Written: {page}", Cli.Output);
        Assert.Contains("in-memory-immediate-burst-smoke", File.ReadAllText(page));
    }

    [Fact]
    public async Task One_bad_run_of_several_is_left_out_and_named()
    {
        await RunAsync();
        var (good, bad, page) = (Cli.RunFolder, Path.Combine(Cli.Folder, "bad"), Path.Combine(Cli.Folder, "page.html"));
        foreach (var original in Directory.GetFiles(good, "*", SearchOption.AllDirectories))
        {
            var copy = Path.Combine(bad, Path.GetRelativePath(good, original));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(original, copy);
        }

        foreach (var histogram in Directory.GetFiles(Path.Combine(bad, "histograms"), "*.json"))
        {
            var document = System.Text.Json.Nodes.JsonNode.Parse(File.ReadAllText(histogram))!;
            if (document["counts"] is null)
                continue;
            document["indexes"] = new System.Text.Json.Nodes.JsonArray(1, 2);
            document["counts"] = new System.Text.Json.Nodes.JsonArray(long.MaxValue, long.MaxValue);
            File.WriteAllText(histogram, document.ToJsonString());
        }

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("report", bad, good, "--output", page));

        Assert.Contains("in-memory-immediate-burst-smoke", File.ReadAllText(page));
        Assert.Contains($"{bad} cannot be read: ", Cli.Error);
        Assert.Contains(" The run is left out.", Cli.Error);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("report", bad, "--output", page));

        var markdown = Path.Combine(Cli.Folder, "a.md");
        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("report", good, bad, "--base", good, "--output", markdown));
        Assert.Contains($"**The run {bad} cannot be read: ", File.ReadAllText(markdown));
        Assert.Contains(
            $"Nothing is compared with the base {Path.GetFileName(good)}: the run to compare cannot be read.",
            File.ReadAllText(markdown)
        );
    }

    [Fact]
    public async Task The_ending_says_as_what_it_is_written()
    {
        await RunAsync();
        string Written(string name)
        {
            return File.ReadAllText(Path.Combine(Cli.Folder, name));
        }

        foreach (var name in (string[])["a.html", "a.md", "a.csv", "a.json"])
            Assert.Equal(
                ExitCodes.Success,
                await Cli.RunAsync("report", Cli.RunFolder, "--base", Cli.RunFolder, "--output", Path.Combine(Cli.Folder, name))
            );

        Assert.StartsWith("# Passed: ", Written("a.md"));
        Assert.StartsWith("run,startedAt,commit,scenario,", Written("a.csv"));
        Assert.Contains("Metrics compared with ", Written("a.md"));
        using var document = JsonDocument.Parse(Written("a.json"));
        Assert.Equal(Path.GetFileName(Cli.RunFolder), document.RootElement.GetProperty("comparison").Text("base"));
        Assert.NotEqual(0, document.RootElement.GetProperty("scenarios")[0].GetProperty("heatMap").GetProperty("cells").GetArrayLength());
    }

    [Fact]
    public async Task A_load_test_is_shown_as_a_whole()
    {
        await Cli.MeasureAsync("load --backend in-memory --rate 50,100 --duration 500ms --warmup 100ms");

        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("report", Cli.RunFolder, "--output", Path.Combine(Cli.Folder, "load.json")));

        using var document = JsonDocument.Parse(File.ReadAllText(Path.Combine(Cli.Folder, "load.json")));
        var test = document.RootElement.GetProperty("loadTests")[0];
        Assert.Equal(["rate-50", "rate-100"], test.Items("steps").Select(step => step.Text("name")));
        Assert.Contains("warm-up", test.Items("marks").Select(mark => mark.Text("label")));
        Assert.Contains("Load test load on in-memory", document.RootElement.GetProperty("answers").Text("outcome"));
    }

    [Fact]
    public async Task The_bare_queue_is_shown_with_what_was_written_and_read()
    {
        await Cli.MeasureAsync("queue --backend in-memory --duration 1s --report 200ms --writers 2 --readers 2");

        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("report", Cli.RunFolder, "--output", Path.Combine(Cli.Folder, "queue.json")));

        using var document = JsonDocument.Parse(File.ReadAllText(Path.Combine(Cli.Folder, "queue.json")));
        var test = document.RootElement.GetProperty("loadTests")[0];
        Assert.Equal(
            ["written", "read"],
            test.GetProperty("rates")
                .GetProperty("panels")[0]
                .GetProperty("curves")
                .EnumerateArray()
                .Select(curve => curve.Text("name"))
        );
        Assert.Contains("drain", test.Items("marks").Select(mark => mark.Text("label")));
    }

    [Fact]
    public async Task What_is_not_understood_is_answered_with_a_sentence()
    {
        await RunAsync();

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("report", "nowhere"));
        Assert.Contains("There is no run at 'nowhere'", Cli.Error);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("report", Cli.RunFolder, "--output", "report.pdf"));
        Assert.Contains("'report.pdf' has the extension '.pdf'; a report can be .html, .md, .csv, .json.", Cli.Error);
        var summary = Cli.PathOf(RunFolder.SummaryFile);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("report", Cli.RunFolder, "--output", summary));
        Assert.Contains($"'{summary}' is a result of a run, which a report would replace", Cli.Error);
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("report", Cli.RunFolder, "--allow-unlike"));
        Assert.Contains("name the base with --base", Cli.Error);
        var nowhere = Path.Combine(Cli.Folder, "no", "where.html");
        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("report", Cli.RunFolder, "--output", nowhere));
        Assert.Contains(nowhere, Cli.Error);
    }

    private async Task RunAsync() =>
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("run", "--scenario", "in-memory-immediate-burst-smoke", "--output", Cli.Folder));
}

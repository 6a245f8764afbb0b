using System.IO.Compression;
using System.Net;

namespace Serdica.Perf.Cli.Tests;

public sealed class ServeTests : IAsyncLifetime
{
    private readonly Cli _cli = new();
    private ServedFolder _served = null!;

    private const string BadRun = "20260101T000000Z-bad";

    private string Run { get; set; } = "";

    public async ValueTask InitializeAsync()
    {
        Run = Path.GetFileName(await KeptRun.CopyAsync(_cli.Folder));
        File.WriteAllText(Path.Combine(_cli.Folder, "secret.txt"), "not to be shown");
        _served = new ServedFolder(_cli.Folder);
    }

    public async ValueTask DisposeAsync()
    {
        await _served.DisposeAsync();
        _cli.Dispose();
    }

    [Fact]
    public async Task The_first_page_lists_the_runs_and_each_opens()
    {
        var list = await GetAsync("");
        Assert.Contains($"<a href=\"/runs/{Run}\">{Run}</a>", list);
        Assert.Contains("passed", list);

        Assert.Contains(Run, await GetAsync($"runs/{Run}"));
        Assert.Contains("in-memory-immediate-burst-smoke", await GetAsync($"runs/{Run}/summary.md"));
        Assert.Contains($"Metrics compared with {Run}", await GetAsync($"report?run={Run}&base={Run}"));
    }

    [Fact]
    public async Task Two_runs_are_compared_with_the_older_one_as_the_base_and_one_is_not()
    {
        var older = AddBadRun("run.log", "a copy");
        var (old, bad) = (Path.GetFileName(older), $"compare?run={Run}&run={Run}");

        Assert.Contains($"Metrics compared with {old}", await GetAsync($"compare?run={Run}&run={old}"));
        var answer = await _served.Client.GetAsync(bad, Token);
        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        Assert.Equal("Choose two runs to compare; 1 was chosen.", await answer.Content.ReadAsStringAsync(Token));
    }

    [Fact]
    public async Task A_run_under_way_and_a_comparison_have_a_line_each()
    {
        var underWay = Path.Combine(_cli.Folder, "20990101T000000Z-in-memory-smoke");
        Directory.CreateDirectory(underWay);
        File.Copy(Path.Combine(_cli.Folder, Run, "manifest.json"), Path.Combine(underWay, "manifest.json"));
        var comparison = Path.Combine(_cli.Folder, "20990102T000000Z-in-memory-ab");
        Directory.CreateDirectory(comparison);
        File.WriteAllText(
            Path.Combine(comparison, "ab-manifest.json"),
            """{"status":"failed","statusReason":"GATE BREACHED","startedAt":"2099-01-02T00:00:00Z","command":"serdica-perf ab"}"""
        );
        File.WriteAllText(Path.Combine(comparison, "report.html"), "<p>what changed</p>");
        var kept = Path.Combine(_cli.Folder, "20990103T000000Z-in-memory-ab");
        Directory.CreateDirectory(kept);
        foreach (var file in (string[])[Path.Combine(comparison, "ab-manifest.json"), Path.Combine(underWay, "manifest.json")])
            File.Copy(file, Path.Combine(kept, Path.GetFileName(file)));

        var list = await GetAsync("");

        Assert.Single(Regex.Matches(list, "under way"));
        Assert.Equal(2, Regex.Count(list, "GATE BREACHED"));
        Assert.DoesNotContain("/runs/20990103T000000Z-in-memory-ab", list);
        Assert.Equal("<p>what changed</p>", await GetAsync("runs/20990102T000000Z-in-memory-ab"));
        Assert.False((await _served.Client.GetAsync("runs/20990101T000000Z-in-memory-smoke", Token)).IsSuccessStatusCode);
    }

    [Fact]
    public async Task A_run_under_faults_has_a_line_and_a_page()
    {
        var folder = Directory.CreateDirectory(Path.Combine(_cli.Folder, "20990103T000000Z-postgresql-faults-kill-worker")).FullName;
        File.WriteAllText(Path.Combine(folder, "faults.json"), JsonSerializer.Serialize(SampleFaults.Result, MeasurementJson.Artifacts));

        var list = await GetAsync("");

        var row = Assert.Single(list.Split("<tr>"), row => row.Contains("faults-kill-worker"));
        Assert.Contains("<span class=\"passed\">proven</span>", row);
        Assert.Contains(SampleFaults.Result.Plan.Command, Regex.Replace(row, "</?span[^>]*>", ""));
        Assert.Contains("PostgreSQL 16.4", row);
        Assert.Contains("<svg", await GetAsync($"runs/{Path.GetFileName(folder)}"));

        Compress(Path.Combine(folder, "faults.json"));
        File.WriteAllText(Path.Combine(folder, "faults.json"), "{}");

        Assert.Contains("cannot be read", await GetAsync(""));

        File.Delete(Path.Combine(folder, "faults.json"));

        Assert.Contains("PostgreSQL 16.4", await GetAsync(""));

        File.Delete(Path.Combine(folder, "faults.json.gz"));
        File.WriteAllText(Path.Combine(folder, "faults.json"), "{}");

        Assert.Contains("cannot be read", await GetAsync(""));
    }

    [Theory]
    [InlineData("runs/../../secret.txt")]
    [InlineData("runs/%2e%2e/secret.txt")]
    [InlineData("runs/..%2fsecret.txt/summary.md")]
    [InlineData("runs/{0}/..%2f..%2fsecret.txt")]
    [InlineData("runs/{0}/%2e%2e/secret.txt")]
    [InlineData("runs/{0}/histograms")]
    [InlineData("report?run=../{0}")]
    [InlineData("report?run=%2fetc")]
    [InlineData("report?run={0}&base=..")]
    [InlineData("report")]
    [InlineData("runs/{0}/run.log")]
    [InlineData("secret.txt")]
    public async Task Nothing_but_the_runs_and_their_reports_can_be_had(string path)
    {
        // As it is typed: a client that tidies the path would hide the question.
        var answer = await AskAsync($"GET /{string.Format(CultureInfo.InvariantCulture, path, Run)} HTTP/1.1", $"127.0.0.1:{_served.Port}");

        Assert.StartsWith("HTTP/1.1 4", answer);
        Assert.DoesNotContain("not to be shown", answer);
    }

    [Fact]
    public async Task A_page_elsewhere_that_points_its_own_name_here_gets_nothing()
    {
        var answer = await AskAsync("GET / HTTP/1.1", "evil.example");

        Assert.StartsWith("HTTP/1.1 4", answer);
        Assert.DoesNotContain(Run, answer);
    }

    [Fact]
    public async Task Runs_can_be_looked_at_and_not_changed()
    {
        var answer = await _served.Client.PostAsync("runs", null, Token);

        Assert.Equal(HttpStatusCode.MethodNotAllowed, answer.StatusCode);
    }

    [Fact]
    public async Task A_run_whose_summary_is_compressed_is_served_as_any_other_and_one_with_both_forms_is_not()
    {
        var summary = Path.Combine(AddBadRun("run.log", "a copy"), "summary.json");
        var text = File.ReadAllText(summary);
        Compress(summary);

        Assert.Contains("cannot be read", await GetAsync(""));
        var refused = await _served.Client.GetAsync($"runs/{BadRun}", Token);
        Assert.Contains("has both summary.json and summary.json.gz", await refused.Content.ReadAsStringAsync(Token));

        File.Delete(summary);

        Assert.DoesNotContain("cannot be read", await GetAsync(""));
        Assert.Contains($"Metrics compared with {BadRun}", await GetAsync($"compare?run={Run}&run={BadRun}"));
        Assert.Equal(text, await GetAsync($"runs/{BadRun}/summary.json"));
    }

    /// <summary>Each damage is one that no exception of the readers foresaw.</summary>
    [Theory]
    [InlineData("manifest.json", """{"status":"passed","startedAt":"0001-01-01T00:00:00+14:00","command":"x","environment":null}""")]
    [InlineData("manifest.json", "\0")]
    [InlineData("manifest.json", "[1,2]")]
    [InlineData("summary.json", """{"schemaVersion":1e999}""")]
    [InlineData("summary.json", "{}")]
    public async Task One_bad_run_is_one_row_and_the_others_are_served(string file, string content)
    {
        AddBadRun(file, content);

        Assert.Contains(Run, await GetAsync(""));
        Assert.Contains(BadRun, await GetAsync(""));
        var bad = await _served.Client.GetAsync($"runs/{BadRun}", Token);
        Assert.True((int)bad.StatusCode <= 500, $"{bad.StatusCode}");
        Assert.Contains(Run, await GetAsync($"runs/{Run}"));
        Assert.False(_served.Serving.IsCompleted);
    }

    [Fact]
    public async Task A_histogram_whose_counts_overflow_costs_the_page_of_its_run_alone()
    {
        AddBadRun("histograms", null);

        var bad = await _served.Client.GetAsync($"runs/{BadRun}", Token);
        var both = await GetAsync($"report?run={BadRun}&run={Run}");

        Assert.False(bad.IsSuccessStatusCode);
        Assert.Contains(BadRun, await bad.Content.ReadAsStringAsync(Token));
        Assert.Contains("in-memory-immediate-burst-smoke", both);
        Assert.Contains($"The run {BadRun} cannot be read: ", both);
        Assert.Contains(" The run is left out.", both);
        Assert.False(_served.Serving.IsCompleted);
    }

    [Fact]
    public async Task A_run_whose_files_cannot_be_opened_is_one_row()
    {
        var folder = AddBadRun("manifest.json", "{}");
        File.Delete(Path.Combine(folder, "manifest.json"));
        Directory.CreateDirectory(Path.Combine(folder, "manifest.json"));

        Assert.Contains(BadRun, await GetAsync(""));
        Assert.False((await _served.Client.GetAsync($"runs/{BadRun}/manifest.json", Token)).IsSuccessStatusCode);
        Assert.Contains(Run, await GetAsync($"runs/{Run}"));
    }

    [Fact]
    public void It_listens_on_the_loopback_address_alone()
    {
        var port = _served.Port;
        var listening = System
            .Net.NetworkInformation.IPGlobalProperties.GetIPGlobalProperties()
            .GetActiveTcpListeners()
            .Where(end => end.Port == port);

        EachItem.Holds(listening, end => Assert.Equal(IPAddress.Loopback, end.Address));
    }

    [Fact]
    public async Task Once_stopped_it_does_not_want_its_port_again()
    {
        var port = _served.Port;
        await _served.StopAsync();
        using var next = new TcpListener(IPAddress.Loopback, port);
        next.Start();

        _served.Server.Dispose();
    }

    [Fact]
    public async Task A_port_that_is_taken_is_named_in_a_sentence()
    {
        var port = _served.Port;

        Assert.Equal(ExitCodes.Usage, await _cli.RunAsync("serve", "--port", $"{port}"));

        Assert.Contains($"Port {port} of 127.0.0.1 is not available", _cli.Error);
    }

    private Task<string> GetAsync(string path) => _served.Client.GetStringAsync(new Uri(path, UriKind.Relative), Token);

    private async Task<string> AskAsync(string line, string host)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, _served.Port, Token);
        var stream = client.GetStream();
        await stream.WriteAsync(Encoding.ASCII.GetBytes($"{line}\r\nHost: {host}\r\nConnection: close\r\n\r\n"), Token);
        using var reader = new StreamReader(stream);
        return await reader.ReadToEndAsync(Token);
    }

    /// <summary>Adds the compressed form of a file beside it.</summary>
    private static void Compress(string file)
    {
        using var zip = new GZipStream(File.Create($"{file}.gz"), CompressionLevel.Fastest);
        zip.Write(File.ReadAllBytes(file));
    }

    /// <summary>A copy of the good run with one file of other content; without content, its histograms count too much.</summary>
    private string AddBadRun(string file, string? content)
    {
        var (good, bad) = (Path.Combine(_cli.Folder, Run), Path.Combine(_cli.Folder, BadRun));
        foreach (var original in Directory.GetFiles(good, "*", SearchOption.AllDirectories))
        {
            var copy = Path.Combine(bad, Path.GetRelativePath(good, original));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.WriteAllText(copy, File.ReadAllText(original).Replace(Run, BadRun));
        }

        if (content is not null)
        {
            File.WriteAllText(Path.Combine(bad, file), content);
            return bad;
        }

        foreach (var histogram in Directory.GetFiles(Path.Combine(bad, file), "*.json").Where(path => !path.EndsWith(".intervals.json")))
            File.WriteAllText(histogram, CountsTooMuch(File.ReadAllText(histogram)));
        return bad;
    }

    private static string CountsTooMuch(string histogram)
    {
        var document = System.Text.Json.Nodes.JsonNode.Parse(histogram)!;
        document["indexes"] = new System.Text.Json.Nodes.JsonArray(1, 2);
        document["counts"] = new System.Text.Json.Nodes.JsonArray(long.MaxValue, long.MaxValue);
        return document.ToJsonString();
    }
}
